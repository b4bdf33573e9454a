import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createAccessReport } from "../../../shared/api/operations/accessReports.ts";
import { type AccessReport, accessReport } from "../../../shared/api/schemas/accessReport.ts";
import { type Person, requireRole } from "../../../shared/auth/roles.ts";
import { accessFiles } from "../../../shared/domain/accessLog/accessFiles.ts";
import type { LoggedAccess } from "../../../shared/domain/accessLog/accessLines.ts";
import { runAccessReport } from "../../../shared/domain/accessReports/runAccessReport.ts";
import { readReport } from "../../../shared/domain/accessReports/storedReport.ts";
import { sweepAccessReports } from "../../../shared/domain/accessReports/sweepAccessReports.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { purgeCrb } from "../../../shared/domain/crbs/purge/purgeCrb.ts";
import { purgeServiceProvider } from "../../../shared/domain/crbs/purge/purgeServiceProvider.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { sweepRemovals } from "../../../shared/domain/documents/removals.ts";
import { Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { accessReportsDuePartition, accessReportsPartition } from "../../../shared/store/keys/accessReports.ts";
import { credentialKey, personKey } from "../../../shared/store/keys/credentials.ts";
import { dayCountKey } from "../../../shared/store/keys/key.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { duringOutage } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { useStatementWorker } from "../statements/useStatementWorker.ts";

const table = useTestTable();
useTestBucket();
const { sent, work, directory } = useStatementWorker();

const window = { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };

async function given() {
  const bank = await givenServiceProvider(table());
  const { spId, crbId, clientId, call } = bank;
  const create = (body: object = window) => call("createAccessReport", { body });
  const get = (report_id: string) => call("getAccessReport", { path: { report_id } });
  const list = (query = {}) => call("listAccessReports", { query });
  const log = (entry: Partial<LoggedAccess> = {}) =>
    accessFiles(directory()).append({
      ...{ time: "2026-02-14T10:00:00.000Z", request_id: randomUUID(), extended_request_id: randomUUID() },
      ...{ operation_id: "getCrbInfo", client_id: clientId, sub: null, owner: { kind: "serviceProvider", id: spId } },
      ...{ sp_id: spId, crb_id: crbId, crb_ids: null, record_id: null, kinds: null, records: 1, status: 200 },
      source: "192.0.2.7",
      ...entry,
    });
  /** Makes a report, and returns it with the lines of its file. */
  const make = async (more: object = {}) => {
    const { json } = await create({ ...window, ...more });
    await work();
    const report = accessReport.parse((await get(json.id)).json);
    return { report, lines: await linesOf(report) };
  };
  return { ...bank, create, get, list, log, make };
}

async function linesOf({ file }: AccessReport) {
  const response = await fetch(String(file?.download_link));
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(file?.sha256);
  const text = gunzipSync(bytes).toString();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("an access report", () => {
  test("lists who read what, with the person's id, and is listed without a link", async () => {
    const bank = await given();
    await bank.log({ time: "2026-02-15T10:00:00.000Z", sub: "00u1", record_id: randomUUID() });
    await bank.log();
    const { status, json } = await bank.create();
    expect([status, accessReport.parse(json).status]).toEqual([200, "queued"]);
    await work();
    const report = accessReport.parse((await bank.get(json.id)).json);
    expect(report).toMatchObject({ status: "ready", requests: 2, unreadable: 0, created_by: bank.clientId });
    const lines = await linesOf(report);
    expect(lines.map(({ client_id, sub }) => [client_id, sub])).toEqual([
      [bank.clientId, null],
      [bank.clientId, "00u1"],
    ]);
    expect(lines[0]).toMatchObject({ operation_id: "getCrbInfo", crb_id: bank.crbId, source: "192.0.2.7" });
    const { data } = (await bank.list()).json;
    expect(data).toEqual([{ ...report, file: { ...report.file, download_link: null, expires_date: null } }]);
  });

  test("has no line of another service provider, and only those of its CRB, record and time", async () => {
    const [bank, other] = [await given(), await given()];
    const record = randomUUID();
    await other.log({ crb_id: bank.crbId });
    await bank.log({ crb_id: randomUUID() });
    await bank.log({ record_id: record });
    await bank.log({ crb_id: null, crb_ids: [bank.crbId] });
    await bank.log({ time: "2026-03-01T00:00:00.000Z" });
    expect((await bank.make()).lines).toHaveLength(3);
    expect((await bank.make({ crb_id: bank.crbId })).lines).toHaveLength(2);
    expect((await bank.make({ record_id: record })).lines).toHaveLength(1);
    expect((await other.make({ crb_id: bank.crbId })).lines).toHaveLength(1);
  });

  test("names persons, credentials and CRBs of its service provider, as they are now, and no others", async () => {
    const [bank, other] = [await given(), await given()];
    const person = (spId: string, name: string, expires: number) =>
      table().put({ ...personKey(spId, "00u1"), sub: "00u1", name, expires });
    await person(bank.spId, "Dana Reyes", Date.now() / 1_000 + 60);
    await person(other.spId, "Robin Vale", Date.now() / 1_000 + 60);
    await table().update(credentialKey(bank.clientId), { name: "Nightly export" });
    let lines = 0;
    const line = (entry: Partial<LoggedAccess>) => bank.log({ ...entry, time: `2026-02-1${++lines}T10:00:00.000Z` });
    await line({ sub: "00u1" });
    await line({});
    await line({ client_id: other.clientId, crb_id: other.crbId });
    await line({ owner: { kind: "invitedUser", id: bank.crbId }, client_id: randomUUID() });
    const { name } = (await readCrb(table(), bank.crbId))?.record ?? expect.fail();
    const read = async () =>
      (await bank.make()).lines.map(({ principal: { kind, name }, crb_name }) => [kind, name, crb_name]);
    expect(await read()).toEqual([
      ["person", "Dana Reyes", name],
      ["service_provider", "Nightly export", name],
      ["service_provider", null, null],
      ["invited_user", null, name],
    ]);
    await person(bank.spId, "Dana Reyes", Date.now() / 1_000 - 60);
    await endAssociation(table(), serviceBucket(), bank.crbId);
    expect((await read())[0]).toEqual(["person", null, null]);
  });

  test("has no address of invited users", async () => {
    const bank = await given();
    await bank.log({ owner: { kind: "invitedUser", id: bank.crbId } });
    expect((await bank.make()).lines).toMatchObject([{ source: null }]);
  });

  test("is made once, also if its message comes twice", async () => {
    const bank = await given();
    await bank.log();
    const { json } = await bank.create();
    const [message] = sent.statements;
    await work();
    const first = (await bank.get(json.id)).json;
    sent.statements.push(message as never);
    await work();
    expect((await bank.get(json.id)).json.file.sha256).toBe(first.file.sha256);
  });

  test("lists the requests of several days once each, oldest first", async () => {
    const bank = await given();
    const times = ["2026-02-15T00:00:00.000Z", "2026-02-14T23:59:59.999Z", "2026-02-16T09:00:00.000Z"];
    for (const time of times)
      for (const _ of "twice") await bank.log({ time, request_id: time, extended_request_id: time });
    const { report, lines } = await bank.make();
    expect(lines.map(({ time }) => time)).toEqual(times.toSorted());
    expect(report.requests).toBe(3);
  });

  test("is queued again if its message was lost, or its worker failed", async () => {
    const bank = await given();
    await bank.log();
    const { status, json } = await duringOutage("statements", () => bank.create());
    expect([status, json.status, sent.statements]).toEqual([200, "queued", []]);
    const message = { sp_id: bank.spId, report_id: json.id };
    const clock = new TestClock(new Date().toISOString());
    const later = new Table(table().name, table().client, clock);
    const sweptAfter = async (minutes: number) => {
      clock.advance(minutes * 60_000);
      await sweepAccessReports(later);
      return sent.statements.splice(0).filter((one) => isDeepStrictEqual(one, message)).length;
    };
    expect(await sweptAfter(1)).toBe(0);
    expect(await sweptAfter(5)).toBe(1);
    const accessLog = { ...accessFiles(directory()), countFailed: () => Promise.reject(new Error("no permission")) };
    const run = (more = {}) => {
      const stores = { table: later, bucket: serviceBucket(), accessLog: accessFiles(directory()), ...more };
      return runAccessReport(stores, message, { deadline: new Date(clock.time + 820_000), clock });
    };
    await expect(run({ accessLog })).rejects.toThrow("no permission");
    expect([await run(), await sweptAfter(5)]).toEqual(["skipped", 0]);
    expect(await sweptAfter(15)).toBe(1);
    expect(await run()).toBe("ready");
    expect((await bank.get(json.id)).json).toMatchObject({ status: "ready", requests: 1 });
    expect(await sweptAfter(5)).toBe(0);
    expect(await table().queryPartition(accessReportsDuePartition)).not.toContainEqual(
      expect.objectContaining({ sk: expect.stringContaining(json.id) }),
    );
  });

  test("counts parts of the log that were not delivered, also of the day after its end", async () => {
    const bank = await given();
    const accessLog = { ...accessFiles(directory()), countFailed: async (days: readonly string[]) => days.length };
    const { id: report_id } = (await bank.create()).json;
    const stores = { table: table(), bucket: serviceBucket(), accessLog };
    const options = { deadline: new Date(Date.now() + 600_000) };
    expect(await runAccessReport(stores, { sp_id: bank.spId, report_id }, options)).toBe("ready");
    expect((await bank.get(report_id)).json).toMatchObject({ requests: 0, unreadable: 29 });
    sent.statements.length = 0;
  });

  test("needs the memory of one day and of its file, and fails if one of them or the time is too long", async () => {
    const bank = await given();
    const stores = { table: table(), bucket: serviceBucket(), accessLog: accessFiles(directory()) };
    const run = async (limits: { deadline?: Date; maxBytes?: number }) => {
      const { id: report_id } = (await bank.create()).json;
      const options = { deadline: new Date(Date.now() + 600_000), ...limits };
      await runAccessReport(stores, { sp_id: bank.spId, report_id }, options);
      const { status, error, file } = (await bank.get(report_id)).json;
      return status === "ready" ? status : [status, error, file];
    };
    const tooLong = ["failed", "too_long", null];
    const logOn = async (day: number, requests: number) => {
      for (let i = 0; i < requests; i++)
        await bank.log({ time: `2026-02-${day}T10:00:00.000Z`, record_id: randomUUID(), client_id: randomUUID() });
    };
    for (const day of [10, 11, 12, 13]) await logOn(day, 1);
    expect(await run({ maxBytes: 1_000 })).toBe("ready");
    await logOn(14, 3);
    expect(await run({ maxBytes: 1_000 })).toEqual(tooLong);
    expect(await run({ maxBytes: 2_000 })).toBe("ready");
    for (const day of [15, 16, 17, 18, 19, 20, 21, 22, 23, 24]) await logOn(day, 3);
    expect(await run({ maxBytes: 2_000 })).toEqual(tooLong);
    expect(await run({ deadline: new Date(0) })).toEqual(tooLong);
    sent.statements.length = 0;
  });

  test("fails if it was not made within a day", async () => {
    const bank = await given();
    const { id } = (await bank.create()).json;
    const late = new TestClock(new Date(Date.now() + 25 * 3_600_000).toISOString());
    const later = new Table(table().name, table().client, late);
    expect(await readReport(later, bank.spId, id)).toMatchObject({ status: "failed", error: "too_slow" });
    sent.statements.length = 0;
  });

  test("loses its file after seven days, and all with the service provider", async () => {
    const bank = await given();
    await bank.log();
    const { report } = await bank.make();
    const { storage_key } = (await readReport(table(), bank.spId, report.id))?.file ?? expect.fail();
    const clock = new TestClock(new Date(Date.now() + 8 * 86_400_000).toISOString());
    const later = new Table(table().name, table().client, clock);
    expect(await readReport(later, bank.spId, report.id)).toMatchObject({ status: "expired", file: null });
    await sweepRemovals(later, serviceBucket(), clock.now());
    await expect(serviceBucket().readBytes(storage_key)).rejects.toThrow();
    const person = personKey(bank.spId, "00u1");
    await table().put({ ...person, sub: "00u1", name: "Dana Reyes" });
    const partition = accessReportsPartition(bank.spId);
    expect(await table().queryPartition(partition)).not.toEqual([]);
    await endAssociation(table(), serviceBucket(), bank.crbId, clock);
    await purgeCrb(table(), serviceBucket(), bank.crbId, { clock, quietPeriodMs: 0 });
    expect((await purgeServiceProvider(table(), bank.spId, { clock })).outcome).toBe("purged");
    expect(await table().queryPartition(partition)).toEqual([]);
    expect(await table().get(person)).toBeUndefined();
  });
});

test("a service provider has 20 new reports a day", async () => {
  const bank = await given();
  const day = new Date().toISOString().slice(0, 10);
  await table().put({ ...dayCountKey(accessReportsPartition(bank.spId), day), made: 19 });
  expect((await bank.create()).status).toBe(200);
  const { status, json, headers } = await bank.create();
  expect([status, json.code]).toEqual([429, "report_day_limit"]);
  expect(Number(headers?.["Retry-After"])).toBeGreaterThan(0);
  sent.statements.length = 0;
});

test.each<[string, object, string]>([
  ["no end", { to: undefined }, "body.to"],
  ["an end before the beginning", { to: "2026-01-01T00:00:00Z" }, "body.to"],
  ["more than 400 days", { from: "2024-01-01T00:00:00Z" }, "body.to"],
  ["an end in the future", { to: new Date(Date.now() + 3_600_000).toISOString() }, "body.to"],
  ["a malformed CRB", { crb_id: "x" }, "body.crb_id"],
])("a request with %s gets 422", async (_, more, field) => {
  const { status, json } = await (await given()).create({ ...window, ...more });
  expect([status, Object.keys(json.fields)]).toEqual([422, [field]]);
});

test("a report of another service provider, or an unknown one, gets 404", async () => {
  const [bank, other] = [await given(), await given()];
  const { id } = (await bank.create()).json;
  expect((await other.get(id)).status).toBe(404);
  expect((await bank.get(randomUUID())).status).toBe(404);
  sent.statements.length = 0;
});

test("of persons, only administrators make reports", () => {
  const [route] = createAccessReport.routes;
  const person = (role: Person["role"]): Person => ({ sub: "00u1", name: null, role });
  expect(() => requireRole(person("reviewer"), true, route)).toThrow(/administrator/);
  expect(() => requireRole(person("administrator"), false, route)).not.toThrow();
});
