import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bucketName, engineAccess } from "../../../../infra/local/environment.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { UUID } from "../../../../shared/api/patterns.ts";
import { removeOldAccessFiles } from "../../../../shared/domain/accessLog/accessFiles.ts";
import type { LoggedAccess } from "../../../../shared/domain/accessLog/accessLines.ts";
import { accessObjects } from "../../../../shared/domain/accessLog/accessObjects.ts";
import { findAccesses } from "../../../../shared/domain/accessLog/findAccesses.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { storedFormatKey } from "../../../../shared/store/keys/storedFormat.ts";
import { systemClock, utcDay } from "../../../../shared/time/clock.ts";
import { interceptCalls } from "../../../shared/store/orderedList/listUnderTest.ts";
import { createTestTable, tableEnvironment } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { runHere } from "../../local/runHere.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { useOperator } from "./useOperator.ts";

const temporaryDirectory = temporaryDirectories();

describe("on the local stage", () => {
  const { data, stage, run, expectDone, expectRefused, call } = useOperator();
  const get = (path: string, key = "") => call(key, path);
  const searchAll = async (...parameters: string[]): Promise<LoggedAccess[]> =>
    JSON.parse(await expectDone("access-log", ...parameters, "--json"));
  /** The requests of callers, without the commands of operators. */
  const search = async (...parameters: string[]) =>
    (await searchAll(...parameters)).filter(({ owner }) => owner.kind !== "operator");

  test("the program lists the requests of a key and those for a record, without any value of the record", async () => {
    const { service_provider: sp, crbs } = stage().description;
    const [crb, other] = crbs;
    const customers = (await get(`/crbs/${crb?.crb_id}/customers?limit=3`, crb?.client_secret)).json.data;
    const customer = customers[0]?.id ?? "";
    const bySp = `/service-providers/${sp.sp_id}/crbs/${crb?.crb_id}/customers/${customer}`;
    expect((await get(bySp, sp.client_secret)).status).toBe(200);
    expect((await get(`/crbs/${other?.crb_id}`, other?.client_secret)).status).toBe(200);
    expect((await get(`/crbs/${other?.crb_id}`, crb?.client_secret)).status).toBe(404);

    // The functions' thread writes the log after the response.
    await expect.poll(() => search("--crb", other?.crb_id ?? "")).toHaveLength(1);
    const readByKey = await search("--client", crb?.client_id ?? "");
    expect(readByKey).toEqual([
      {
        time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        extended_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operation_id: "listCustomers",
        client_id: crb?.client_id,
        sub: null,
        owner: { kind: "crb", id: crb?.crb_id },
        sp_id: sp.sp_id,
        crb_id: crb?.crb_id,
        crb_ids: null,
        record_id: null,
        kinds: null,
        records: 3,
        status: 200,
        source: "127.0.0.1",
      },
    ]);
    const readers = await search("--record", customer.toUpperCase());
    expect(readers).toMatchObject([{ client_id: sp.client_id, operation_id: "getCrbCustomer", records: 1 }]);
    const both = await search("--client", sp.client_id, "--client", crb?.client_id ?? "", "--crb", crb?.crb_id ?? "");
    // The demo connects the license of the business to the state's system.
    const operations = ["setCrbStateConnection", "listCustomers", "getCrbCustomer"];
    expect(both.map(({ operation_id }) => operation_id)).toEqual(operations);
  });

  test("--crb finds the lists that name the business, and no other list", async () => {
    const { service_provider: sp, crbs } = stage().description;
    const list = `/service-providers/${sp.sp_id}/crbs`;
    expect((await get(`${list}?limit=1`, sp.client_secret)).status).toBe(200);
    const first = (await get(`${list}?limit=1`, sp.client_secret)).json.data[0]?.id;
    const lists = async (crbId: string) =>
      (await search("--crb", crbId)).filter(({ operation_id }) => operation_id === "listServiceProviderCrbs");
    await expect.poll(() => lists(first ?? "")).toHaveLength(2);
    expect(await lists(first ?? "")).toMatchObject([{ crb_id: null, crb_ids: [first], records: 1 }, {}]);
    for (const { crb_id } of crbs) if (crb_id !== first) expect(await lists(crb_id)).toEqual([]);
    const table = await expectDone("access-log", "--crb", first ?? "");
    expect(table).toContain("operator access-log");
  });

  test("--summary counts requests and records by client, operation and CRB", async () => {
    const [crb] = stage().description.crbs;
    for (const limit of [1, 2, 0]) await get(`/crbs/${crb?.crb_id}/products?limit=${limit}`, crb?.client_secret);
    const summary = async () =>
      JSON.parse(await expectDone("access-log", "--client", crb?.client_id ?? "", "--summary", "--json"));
    await expect
      .poll(summary)
      .toContainEqual(
        expect.objectContaining({
          operation_id: "listProducts",
          crb_id: crb?.crb_id,
          requests: 3,
          failed: 1,
          records: 3,
        }),
      );
    const table = await expectDone("access-log", "--client", crb?.client_id ?? "", "--summary");
    expect(table).toMatch(/^client +operation +sub +crb +requests +failed +records +last +first\n/);
  });

  test("the table fits 80 columns, with the beginning of the id of the caller, and the operation", async () => {
    const [crb] = stage().description.crbs;
    await get(`/crbs/${crb?.crb_id}/sales?limit=1`, crb?.client_secret);
    await expect.poll(() => search("--crb", crb?.crb_id ?? "")).not.toEqual([]);
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const parameters = ["access-log", "--crb", crb?.crb_id ?? "", "--data", data];
    await operator(parameters, { stdin: new PassThrough(), stdout, stderr: new PassThrough() });
    // The table begins where the progress line was cleared.
    const [, table = ""] = String(stdout.read()).split("\u001b[2K");
    const lines = stripVTControlCharacters(table).split("\n");
    const shown = lines.filter((line) => /^(time|20\d\d-)/.test(line));
    expect(shown.length).toBeGreaterThan(1);
    expect(shown[0]).toMatch(/^time +client +operation/);
    expect(shown[1]).toMatch(/Z {2}[\da-f]{8} {2}\w+ /);
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test("--crb accepts the name of a business in any case, and the beginning of its id", async () => {
    const [crb] = stage().description.crbs;
    await get(`/crbs/${crb?.crb_id}`, crb?.client_secret);
    await expect.poll(() => search("--crb", crb?.crb_id ?? "")).not.toEqual([]);
    const expected = await search("--crb", crb?.crb_id ?? "");
    expect(await search("--crb", crb?.name.toUpperCase() ?? "")).toEqual(expected);
    expect(await search("--crb", crb?.crb_id.slice(0, 8) ?? "")).toEqual(expected);
    await expectRefused("No CRB has this name", "access-log", "--crb", "High Country");
    const other = stage().description.crbs[1];
    const twin = async (name: string) =>
      changeCrb(
        stage().table,
        other?.crb_id ?? "",
        ({ record, ...rest }) => ({ ...rest, record: { ...record, name } }),
        systemClock,
        { compareHolders: async () => ({}) },
      );
    await twin(crb?.name ?? "");
    const { err } = await run("access-log", "--crb", crb?.name ?? "");
    expect(err).toMatch(/^Several CRBs fit, so use an id: /);
    for (const each of [crb, other]) expect(err).toContain(`${each?.crb_id} (${crb?.name})`);
    await twin(other?.name ?? "");
  });

  test("--from and --to accept days and instants", async () => {
    const [crb] = stage().description.crbs;
    await get(`/crbs/${crb?.crb_id}`, crb?.client_secret);
    const of = (...more: string[]) => search("--client", crb?.client_id ?? "", ...more);
    await expect.poll(() => of()).not.toEqual([]);
    const all = await of();
    const today = utcDay(new Date(all[0]?.time ?? ""));
    expect(await of("--from", today, "--to", today)).toEqual(all);
    expect(await of("--to", all[0]?.time ?? "", "--from", today)).toEqual([]);
    expect(await of("--from", all[0]?.time ?? "")).toEqual(all);
    const later = utcDay(new Date(Date.now() + 86_400_000));
    expect(await of("--from", later, "--to", later)).toEqual([]);
  });

  test.each([
    [[], "Add at least one of --client, --crb and --record."],
    [["--client", "x"], "--client must be a uuid."],
    [["--crb", "sk_secret"], "No CRB has this name"],
    [["--record", randomUUID(), "--from", "yesterday"], "--from must be a day such as 2026-11-20 or a time"],
    [["--record", randomUUID(), "--to", "2026-02-30T08:00:00Z"], "--to must be a day such as 2026-11-20 or a time"],
    [["--record", randomUUID(), "--to", "2026-02-30"], "--to must be a day such as 2026-11-20 or a time"],
    [["--record", randomUUID(), "--from", "2026-11-21", "--to", "2026-11-20"], "--from must be before --to."],
  ])("%j is rejected", (parameters, line) => expectRefused(line, "access-log", ...parameters));

  test("an unreadable line is reported after the results", async () => {
    const [crb] = stage().description.crbs;
    await get(`/crbs/${crb?.crb_id}`, crb?.client_secret);
    await expect.poll(() => search("--client", crb?.client_id ?? "")).not.toEqual([]);
    const { sp_id } = stage().description.service_provider;
    const file = join(data, "access-log", sp_id, `${utcDay(new Date())}.jsonl`);
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, `${whole}{"message":"access","client_id":"${crb?.client_id}"\n`);
    const { code, out, err } = await run("access-log", "--client", crb?.client_id ?? "");
    writeFileSync(file, whole);
    expect([code, err]).toEqual([1, "Requests may be missing: 1 part of the access log could not be read.\n"]);
    expect(out).toContain("getCrb");
  });
});

test("a local stage keeps the log of thirty days", () => {
  const data = temporaryDirectory();
  mkdirSync(join(data, "access-log", "provider"), { recursive: true });
  const file = (day: string) => join(data, "access-log", "provider", `${day}.jsonl`);
  for (const day of ["2026-10-25", "2026-10-26"]) writeFileSync(file(day), "");
  removeOldAccessFiles(data, new Date("2026-11-25T12:00:00Z"));
  expect([existsSync(file("2026-10-25")), existsSync(file("2026-10-26"))]).toEqual([false, true]);
});

describe("on a stage on AWS", () => {
  useTestBucket();
  const identity = useTestIdentity();
  afterEach(() => {
    vi.unstubAllEnvs();
    identity.status = 200;
  });

  const [client, crb, record] = [randomUUID(), randomUUID(), randomUUID()];
  const line = (time: string, more: object = {}) =>
    JSON.stringify({
      level: "INFO",
      message: "access",
      timestamp: time,
      service: "business-data-access",
      request_id: time,
      extended_request_id: time,
      operation_id: "getCrbCustomer",
      status: 200,
      duration_ms: 5,
      client_id: client,
      owner: { kind: "serviceProvider", id: client },
      sp_id: client,
      crb_id: crb,
      record_id: record,
      records: 1,
      source: "192.0.2.1",
      ...more,
    });
  /** An object as Firehose delivers it: the messages of log events, one on each line. */
  const delivered = (...lines: string[]) => gzipSync(lines.map((each) => `${each}\n`).join(""));
  const store = (key: string, bytes: Uint8Array) => serviceBucket().storeBytes(key, bytes);

  const run = async (...parameters: string[]) => {
    for (const [name, value] of Object.entries({ STAGE: "sandbox", TABLE_NAME: "t", ACCESS_LOG_BUCKET: bucketName }))
      vi.stubEnv(name, process.env[name] ?? value);
    return runHere(operator, [...parameters, "--stage", "sandbox"]);
  };
  const search = (...parameters: string[]) => run("access-log", ...parameters, "--json");

  beforeAll(async () => {
    const { accessKeyId, secretAccessKey } = engineAccess.credentials;
    const access = { AWS_REGION: engineAccess.region, AWS_ACCESS_KEY_ID: accessKeyId };
    Object.assign(process.env, { ...access, AWS_SECRET_ACCESS_KEY: secretAccessKey });
    // The program reads the format number of the table.
    Object.assign(process.env, tableEnvironment(await createTestTable()));
    const late = line("2026-11-20T23:59:58.000Z", { client_id: randomUUID() });
    await store(
      `access/${client}/2026-11-20/stream-1.gz`,
      delivered(line("2026-11-20T10:00:00.000Z"), line("2026-11-20T09:00:00.000Z")),
    );
    // Delivered twice.
    await store(`access/${client}/2026-11-20/stream-2.gz`, delivered(line("2026-11-20T10:00:00.000Z")));
    await store(`access/${client}/2026-11-20/stream-3.gz`, delivered(late));
    await store(`access/${client}/2026-11-21/stream-4.gz`, delivered(line("2026-11-21T00:00:00.000Z")));
    await store(`access/${client}/2026-11-22/stream-5.gz`, Buffer.from("no gzip"));
    await store("failed/2026-11-25/decompression-failed/stream-6", Buffer.from("{}"));
  });

  test("each request is listed once, oldest first, under the day of its line", async () => {
    const { code, out, err } = await search("--record", record, "--from", "2026-11-20", "--to", "2026-11-20");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out).map(({ time }: LoggedAccess) => time)).toEqual([
      "2026-11-20T09:00:00.000Z",
      "2026-11-20T10:00:00.000Z",
      "2026-11-20T23:59:58.000Z",
    ]);
  });

  test("the requests of a client have exactly its client id", async () => {
    const { out } = await search("--client", client, "--from", "2026-11-20", "--to", "2026-11-20");
    expect(JSON.parse(out)).toHaveLength(2);
  });

  test("requests with the same id in the same millisecond, which a caller can forge, are all listed", async () => {
    const thief = randomUUID();
    const forged = (extended_request_id: string) =>
      line("2026-11-18T10:00:00.000Z", { client_id: thief, request_id: "mine", extended_request_id });
    await store(
      `access/${client}/2026-11-18/stream-7.gz`,
      delivered(forged("first"), forged("second"), forged("first")),
    );
    const { out } = await search("--client", thief, "--from", "2026-11-18", "--to", "2026-11-18");
    expect(JSON.parse(out)).toMatchObject([{ extended_request_id: "first" }, { extended_request_id: "second" }]);
  });

  test.each([
    ["an object that is damaged", "2026-11-22"],
    ["an object that Firehose could not process", "2026-11-25"],
  ])("%s is reported", async (_, day) => {
    const { code, err } = await search("--crb", crb, "--from", day, "--to", day);
    expect([code, err]).toEqual([1, "Requests may be missing: 1 part of the access log could not be read.\n"]);
  });

  test("the lines of a service provider are read from its folder alone", async () => {
    const other = randomUUID();
    const foreign = line("2026-11-10T10:00:00.000Z", { sp_id: other });
    const own = line("2026-11-10T11:00:00.000Z", { crb_id: null, crb_ids: [crb] });
    await store(`access/${other}/2026-11-10/stream-1.gz`, delivered(foreign));
    await store(`access/${other}/2026-11-10/stream-2.gz`, Buffer.from("no gzip"));
    // A line in a foreign folder is not returned, either.
    await store(`access/${client}/2026-11-10/stream-1.gz`, delivered(own, foreign));
    const period = { from: new Date("2026-11-10T00:00:00Z"), to: new Date("2026-11-11T00:00:00Z") };
    const read = async (spId: string, omitsCrbIds = false) => {
      const query = { clients: [], crbId: crb, ...period, omitsCrbIds };
      const days = await Array.fromAsync(findAccesses(accessObjects(serviceBucket(), Error), [spId], query));
      const unreadable = days.reduce((sum, day) => sum + day.unreadable, 0);
      return { entries: days.flatMap(({ entries }) => entries), unreadable };
    };
    const entry = { time: "2026-11-10T11:00:00.000Z", crb_ids: [crb] };
    expect(await read(client)).toMatchObject({ entries: [entry], unreadable: 0 });
    expect((await read(client, true)).entries).toMatchObject([{ ...entry, crb_ids: null }]);
    expect(await read(other)).toMatchObject({ entries: [{ sp_id: other }], unreadable: 1 });
  });

  describe("a command of an operator", () => {
    /** The calls of the table from now on, except reads of its format number. */
    const callsOfTable = (): string[] => {
      const commands: string[] = [];
      interceptCalls(serviceTable()).before = (command, input) => {
        if (!JSON.stringify(input).includes(`"${storedFormatKey.pk}"`)) commands.push(command);
      };
      return commands;
    };
    const own = async (crbId: string): Promise<LoggedAccess[]> =>
      JSON.parse((await search("--crb", crbId)).out).filter(({ operation_id: of }: LoggedAccess) => /show/.test(of));

    test("is logged with the person's identity, the business and the record, before it reads", async () => {
      const [crbId, id] = [randomUUID(), randomUUID()];
      const commands = callsOfTable();
      const { code, err } = await run("record", "show", crbId.toUpperCase(), "sale", id);
      expect(commands).toContain("GetItemCommand");
      expect([code, err]).toEqual([1, `CRB ${crbId} has no sale ${id}.\n`]);
      expect(await own(crbId)).toEqual([
        {
          time: expect.any(String),
          request_id: expect.stringMatching(UUID),
          extended_request_id: null,
          operation_id: "operator record show",
          client_id: identity.arn,
          sub: null,
          owner: { kind: "operator", id: identity.arn },
          sp_id: "operator",
          crb_id: crbId,
          crb_ids: null,
          record_id: id,
          kinds: null,
          records: null,
          status: 200,
          source: null,
        },
      ]);
    });

    const notWritten =
      "Cannot write to the access log in another-bucket (NoSuchBucket), so the command did not run: check AWS_REGION ";
    const notNamed =
      "Set ACCESS_LOG_BUCKET: npm run stage-env -- --stage sandbox writes it to .deployed/sandbox.env.\n";
    test.each([
      ["the log cannot be written", { ACCESS_LOG_BUCKET: "another-bucket" }, 200, notWritten],
      ["the log's bucket is not named", { ACCESS_LOG_BUCKET: "" }, 200, notNamed],
      ["AWS does not confirm the person", {}, 403, "ExpiredToken"],
    ])("fails before it reads if %s", async (_, environment, status, text) => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      identity.status = status;
      const crbId = randomUUID();
      const commands = callsOfTable();
      for (const command of [["record", "show", crbId, "sale", randomUUID()], ["crb", "list"], ["status"]]) {
        const { code, err } = await run(...command);
        expect(code).toBe(1);
        expect(err).toContain(text);
      }
      expect((await run("replication", "state", "Green Leaf")).err).toContain(text);
      expect(commands).toEqual([]);
    });
  });
});
