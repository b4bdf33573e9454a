import { randomUUID } from "node:crypto";
import { inflateRawSync, inflateSync } from "node:zlib";
import type { Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { handler } from "../../../functions/replication/worker.ts";
import { sqsEvent } from "../../../infra/local/sqsEvent.ts";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import type { Crb } from "../../../shared/api/schemas/crb.ts";
import { readRejected } from "../../../shared/domain/replication/rejectedRecords.ts";
import { seal } from "../../../shared/platform/crypto/sealing.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { applyPosConfigMove } from "../../../shared/pos/posConfigStatus.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { storeCrb } from "../../crbRecord.ts";
import {
  type FakePos,
  kindsOf,
  posNames,
  startFakePos,
  testEndpointEnvironment,
} from "../../shared/pos/fakes/fakePos.ts";
import type { Fault } from "../../shared/pos/fakes/fakeServer.ts";
import { smallSize } from "../../shared/pos/fakes/shop.ts";
import { scan } from "../../tableState.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { sampleCases } from "../../thorough.ts";
import { useOutput } from "../../useOutput.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();
const bucket = useTestBucket();
const sent = useQueues();

/** Every fake POS returns this text in all values that must not be kept, and in fields that no connector reads. */
const planted = "planted";
// Logs at the most detailed level.
const output = useOutput("DEBUG");

afterEach(async () => {
  // Later tests search only their own data.
  await table().batchDelete(await scan(table()));
});

/** Stores a CRB with its encrypted credentials. */
async function connect({ posType, locationId, businessType, credentials }: Connection): Promise<string> {
  const id = randomUUID();
  const name = posType as Crb["pos_configs"][number]["name"];
  const pos_configs = applyPosConfigMove([], name, "connect", new Date()) ?? [];
  await table().put({ ...posCredentialsKey(id), sealed: await seal(id, credentials) });
  const connection = { crbId: id, posType, locationId, connectedAt: new Date().toISOString() };
  await storeCrb(table(), connection, { record: { business_type: businessType, pos_configs } });
  return id;
}

/** Has the worker replicate every kind of a CRB's records, one run for each kind. */
async function replicateAll(crbId: string, remainingMilliseconds = 900_000): Promise<void> {
  for (const kind of recordKinds) {
    const body = JSON.stringify({ crb_id: crbId, kinds: [kind] });
    await handler(sqsEvent("replication", body), { getRemainingTimeInMillis: () => remainingMilliseconds } as Context);
  }
}

/**
 * Everything that is stored, queued or logged, in lower case, with compressed values decompressed and bytes as text. The texts
 * of records are in it without the escapes of JSON, too.
 */
async function everything(): Promise<string> {
  const readable = (_: string, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    const texts = [inflateRawSync, inflateSync].flatMap((open) => {
      try {
        return [open(value).toString()];
      } catch {
        return [];
      }
    });
    return [Buffer.from(value).toString("latin1"), ...texts];
  };
  const items = (await scan(table())).flatMap((item) => [
    JSON.stringify(Object.fromEntries(Object.entries(item).map(([name, value]) => [name, readable(name, value)]))),
    ...(typeof item.body === "string" ? [item.body] : []),
  ]);
  return `${items.join("\n")}\n${JSON.stringify(sent)}\n${output.text}`.toLowerCase();
}

/** The forms in which a value could be stored. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [value, bytes.toString("base64"), bytes.toString("hex"), encodeURIComponent(value)].map((form) =>
    form.toLowerCase(),
  );
}

/**
 * Searches the text once for all values: it compares whole values only at places where the first characters of one are found.
 */
function expectNowhere(text: string, values: Iterable<string>): void {
  const forms = [...new Set([...values].flatMap(formsOf))];
  const head = Math.min(8, ...forms.map(({ length }) => length));
  const byHead = Map.groupBy(forms, (form) => form.slice(0, head));
  // A fingerprint of the first three letters rules out most places and costs far less than cutting out the first characters.
  const fingerprint = (from: string, at: number) =>
    (from.charCodeAt(at) ^ (from.charCodeAt(at + 1) << 5) ^ (from.charCodeAt(at + 2) << 10)) & 0xffff;
  const fingerprints = new Uint8Array(0x10000);
  for (const form of forms) fingerprints[fingerprint(form, 0)] = 1;
  for (let at = 0; at < text.length; at++) {
    if (!fingerprints[fingerprint(text, at)]) continue;
    const found = byHead.get(text.slice(at, at + head))?.find((form) => text.startsWith(form, at));
    // The output shows only the text around the value, since more could hold values of other customers.
    if (found) expect({ found, in: text.slice(Math.max(0, at - 60), at + 60) }).toBeNull();
  }
}

/** Fails unless records were stored and logged, since the search would otherwise find nothing anyway. */
async function expectReplicated(crbId: string, kinds: readonly RecordKind[] = recordKinds): Promise<void> {
  for (const kind of kinds) {
    const { total } = await readPage(table(), recordList(crbId, kind), { offset: 0, limit: 1 });
    expect(total, kind).toBeGreaterThan(0);
  }
  expect(output.text).toContain(crbId);
  expect(output.text).toContain('"outcome":"finished"');
  expect(bucket.count()).toBe(0);
}

/** The first two objects of every array in a response. */
function rowsIn(body: unknown): Record<string, unknown>[] {
  if (Array.isArray(body)) return body.filter((row) => typeof row === "object" && row !== null).slice(0, 2);
  if (typeof body !== "object" || body === null) return [];
  return Object.values(body).flatMap(rowsIn);
}

function breakRow(row: Record<string, unknown>): void {
  for (const field of ["phone", "sku", "payments", "total", "birthday", "WAREHOUSEID"]) {
    if (field in row) row[field] = { Plantedfield: "Plantedvalue" };
  }
}

/**
 * Faults whose responses quote the credentials of the request and customers of the shop. The last three reject the credentials:
 * after three rejections in a row, the connection gets the status `Needs Attention`.
 */
function quotingFaults(pos: FakePos): Fault[] {
  const faults = allQuotingFaults(pos);
  const rejects = (fault: Fault) => fault.kind === "answer" && fault.answer.status === 401;
  const [rejection = expect.fail("no fault with 401")] = faults.filter(rejects);
  const others = faults.filter((fault) => !rejects(fault));
  return [...sampleCases(others, 1), rejection, rejection, rejection];
}

function allQuotingFaults({ connection, shop }: FakePos): Fault[] {
  const quoted = { message: "Planted", credentials: connection.credentials, customers: shop.customers.slice(0, 3) };
  return [
    ...[200, 400, 401, 403, 404, 429, 500].map(
      (status): Fault => ({ kind: "answer", answer: { status, body: quoted } }),
    ),
    { kind: "answer", answer: { status: 200, body: `Planted ${JSON.stringify(quoted)}` } },
    { kind: "answer", answer: { status: 302, headers: { location: "https://planted.example.com/" } } },
    { kind: "answer", answer: { status: 429, headers: { "retry-after": "Planted" } } },
    { kind: "truncated" },
  ];
}

test.each(sampleCases(posNames, 1))(
  "replicating %s stores, queues and logs no plain value",
  async (name) => {
    vi.stubEnv("POS_DUTCHIE_INTEGRATOR_KEY", "plantedpartner");
    const pos = await startFakePos(name, "privacy", smallSize);
    for (const [variable, value] of Object.entries(testEndpointEnvironment(name, pos.address)))
      vi.stubEnv(variable, value);
    try {
      const crbId = await connect(pos.connection);
      // Before the successful runs: positions in the middle of a run, rejected records, and responses that quote the request.
      await replicateAll(crbId, 0);
      const halfway = await everything();
      pos.server.rewrite = (body) => {
        for (const row of rowsIn(body)) breakRow(row);
        return body;
      };
      // Twice: the first run continues after the records already read, and may skip repeated ones of the next page.
      for (let times = 2; times > 0; times--) await replicateAll(crbId);
      const rejected = await Promise.all(recordKinds.map((kind) => readRejected(table(), crbId, kind)));
      const broken = await everything();
      for (const fault of quotingFaults(pos)) {
        pos.server.faults = () => fault;
        await replicateAll(crbId);
      }
      expect((await readCrb(table(), crbId))?.record.pos_configs[0]?.status).toBe("Needs Attention");
      pos.server.faults = () => undefined;
      pos.server.rewrite = (body) => body;
      await replicateAll(crbId);
      await expectReplicated(crbId, kindsOf(name));

      expect(rejected.flat().length).toBeGreaterThan(0);
      expect(sent.replication.length).toBeGreaterThan(0);
      for (const text of [halfway, broken, await everything()]) {
        expectNowhere(text, [
          planted,
          ...Object.values(pos.address.partnerKeys),
          ...Object.values(pos.connection.credentials).map(String),
        ]);
        expectNowhere(text, new Set(pos.shop.customers.flatMap(({ phone }) => [phone, phone.replace(/\D/g, "")])));
      }
    } finally {
      await pos.server.close();
    }
  },
  600_000,
);

test("replicating the sandbox stores, queues and logs no plain value", async () => {
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  const credentials = { apiKey: "Plantedapikey", storeId: "Plantedstore" };
  const connection: Connection = {
    crbId: "",
    posType: "Alleaves",
    businessType: "wholesale",
    state: "CO",
    timezone: "America/Denver",
    locationId: null,
    connectedAt: "",
    credentials,
  };
  const crbId = await connect(connection);
  await replicateAll(crbId);
  await expectReplicated(crbId);
  const { connectedAt = "" } = (await readCrb(table(), crbId))?.connection ?? {};
  const values = await sensitiveValues({ ...connection, crbId, connectedAt });
  expect(values.size).toBeGreaterThan(1_000);
  expectNowhere(await everything(), [planted, ...values]);
});

/** The values of the sandbox's customers that are stored as hashes; names only as pairs of field and value. */
async function sensitiveValues(connection: Connection): Promise<Set<string>> {
  const values = new Set<string>();
  let position: string | null = null;
  do {
    const page: Awaited<ReturnType<ReturnType<typeof sandboxConnector>["pull"]>> = await sandboxConnector(900).pull(
      connection,
      { kind: "customer", since: null, position, now: new Date() },
    );
    for (const record of page.records) {
      const { phone, cell_phone, email_address, medical_id, drivers_license_id, other_id } = record as never;
      const { first_name, last_name } = record as { first_name: string | null; last_name: string | null };
      for (const value of [phone, cell_phone, email_address, medical_id, drivers_license_id, other_id]) {
        if (value) values.add(value);
      }
      if (first_name && last_name) values.add(`"first_name":"${first_name}"`).add(`"last_name":"${last_name}"`);
    }
    position = "position" in page.next ? page.next.position : null;
  } while (position !== null);
  return values;
}
