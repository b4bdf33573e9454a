import { randomUUID } from "node:crypto";
import type { Context, SQSEvent } from "aws-lambda";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { handler } from "../../../functions/replication/worker.ts";
import { demoBusinesses, demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { stages } from "../../../infra/stages/stages.ts";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { acquireLease } from "../../../shared/domain/replication/acquireLease.ts";
import { readReplications } from "../../../shared/domain/replication/readReplications.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { measureResult, publishMetrics } from "../../../shared/domain/replication/replicationMetrics.ts";
import { metricDimensions, metricNamespace } from "../../../shared/platform/aws/metricSeries.ts";
import type { Connector } from "../../../shared/pos/connector.ts";
import { applyPosConfigMove } from "../../../shared/pos/posConfigStatus.ts";
import { serviceTable, type Table } from "../../../shared/store/client.ts";
import type { CrbConnection } from "../../../shared/store/crb.ts";
import { createCrb, readCrb } from "../../../shared/store/crbs.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { plainSale } from "../../shared/domain/replication/scriptedPos.ts";
import { ScriptedStock, stockOf } from "../../shared/domain/replication/scriptedStock.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { createTestTable, tableEnvironment } from "../../testTable.ts";
import { useOutput } from "../../useOutput.ts";
import { useQueues } from "../../useQueues.ts";

// Set before the functions are imported, which create their metrics.
vi.hoisted(() => {
  process.env.POWERTOOLS_METRICS_DISABLED = "false";
});
useTestServiceKey();
const sent = useQueues();

let table: Table;

beforeAll(async () => {
  table = await createTestTable();
  Object.assign(process.env, tableEnvironment(table));
});

// Other tests keep the log out of the output.
const output = useOutput("INFO");
beforeEach(() => void vi.stubEnv("POS_CONNECTORS", "sandbox"));

const connected: CrbConnection = { posType: "Dutchie", locationId: null, connectedAt: new Date().toISOString() };

/** Stores a CRB, wholesale by default, and returns its id. */
async function givenCrb(connection: CrbConnection | null, business_type: "retail" | "wholesale" = "wholesale") {
  const [business] = demoBusinesses;
  if (!business) throw new Error("there is no demo business");
  const id = randomUUID();
  const pos_configs = (connection && applyPosConfigMove([], "Dutchie", "connect", new Date())) ?? [];
  const record = { ...business.record, id, business_type, status: "svc_approved" as const, pos_configs };
  await createCrb(table, { record, serviceProviderId: demoServiceProvider.id, connection });
  return id;
}

function message(crbId: string, kind: RecordKind = "location"): string {
  return JSON.stringify({ crb_id: crbId, kinds: [kind] });
}

/** Calls the worker with one event of these bodies, and returns the positions of the failed messages. */
async function failedOf(bodies: string[], remainingMilliseconds = 900_000): Promise<number[]> {
  const event = {
    Records: bodies.map((body, i) => ({ messageId: `message ${i}`, body, eventSource: "aws:sqs" })),
  } as unknown as SQSEvent;
  const context = { getRemainingTimeInMillis: () => remainingMilliseconds } as Context;
  const { batchItemFailures } = await handler(event, context);
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier.slice("message ".length))).sort();
}

/** The stored records; the sandbox has four locations. */
async function count(crbId: string, kind: RecordKind = "location"): Promise<number> {
  return (await readPage(table, recordList(crbId, kind), { offset: 0, limit: 1 })).total;
}

const lines = (): Record<string, unknown>[] =>
  output.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const logged = () => lines().filter((line) => !("_aws" in line));
const measured = () => lines().filter((line) => "_aws" in line);

test("a message replicates its CRB and kind, and logs one line", async () => {
  const crbId = await givenCrb(connected);
  expect(await failedOf([message(crbId)])).toEqual([]);
  expect(await count(crbId)).toBe(4);
  expect(logged()).toHaveLength(1);
  expect(logged()[0]).toMatchObject({
    message: "replication",
    message_id: "message 0",
    crb_id: crbId,
    kind: "location",
    outcome: "finished",
    created: 4,
  });
});

test("a message of several kinds reads the credentials once, and a kind that fails does not stop the others", async () => {
  const crbId = await givenCrb(connected);
  const kinds = ["location", "customer", "product"];
  const planned_at = new Date().toISOString();
  const read: unknown[] = [];
  const count = (next: Parameters<Parameters<typeof table.client.middlewareStack.add>[0]>[0]) => {
    return async (request: Parameters<typeof next>[0]) => {
      const { Key, Item } = request.input as { Key?: { sk?: { S?: string } }; Item?: { sk: string } };
      if (Item?.sk === "PRODUCT") throw new Error("the table rejects the lease");
      if (Key?.sk?.S === "POS_CREDENTIALS" && !("ConsistentRead" in request.input && request.input.ConsistentRead))
        read.push(Key);
      return next(request);
    };
  };
  serviceTable().client.middlewareStack.add(count as never, { step: "initialize", name: "count", priority: "high" });
  const body = JSON.stringify({ crb_id: crbId, kinds, planned_at });
  expect(await failedOf([body])).toEqual([0]);
  serviceTable().client.middlewareStack.remove("count");
  expect(read).toHaveLength(1);
  expect(logged().map(({ kind, outcome, level }) => [kind, outcome ?? level])).toEqual(
    expect.arrayContaining([
      ["location", "finished"],
      ["customer", "finished"],
      ["product", "ERROR"],
    ]),
  );
  // SQS delivers the message again: only the failed kind runs.
  output.text = "";
  expect(await failedOf([body])).toEqual([]);
  expect(Object.fromEntries(logged().map(({ kind, outcome }) => [kind, outcome]))).toEqual({
    location: "superseded",
    customer: "superseded",
    product: "finished",
  });
});

test("the id in a message may have any letter case", async () => {
  const crbId = await givenCrb(connected);
  expect(await failedOf([message(crbId.toUpperCase())])).toEqual([]);
  expect(await count(crbId)).toBe(4);
});

describe("in a batch,", () => {
  test("only failed messages are delivered again", async () => {
    const good = await givenCrb(connected);
    const misplaced = await givenCrb({ ...connected, locationId: "elsewhere" });
    const bodies = [
      "no JSON",
      message(good),
      message(misplaced),
      JSON.stringify({ crb_id: good }),
      JSON.stringify({ crb_id: good, kinds: ["secret"] }),
      JSON.stringify({ crb_id: "7", kinds: ["customer"] }),
      JSON.stringify({ crb_id: good, kinds: ["customer"], more: 1 }),
      "null",
    ];
    expect(await failedOf(bodies)).toEqual([0, 3, 4, 5, 6, 7]);
    expect(await count(good)).toBe(4);
    expect(logged().filter((line) => line.level === "ERROR")).toHaveLength(6);
  });

  test("a message is not delivered again if the POS rejects the location", async () => {
    const misplaced = await givenCrb({ ...connected, locationId: "elsewhere" });
    expect(await failedOf([message(misplaced)])).toEqual([]);
    expect(logged()).toMatchObject([
      { level: "WARN", crb_id: misplaced, outcome: "failed", failure: "locationGone", retryAt: expect.any(String) },
    ]);
    expect(measured()).toMatchObject([{ CredentialsRefused: 1 }]);
    expect(await failedOf([message(misplaced)])).toEqual([]);
    expect((await readCrb(table, misplaced))?.record.pos_configs[0]?.status).toBe("Needs Attention");
  });

  test("all messages may fail without an error of the invocation", async () => {
    expect(await failedOf(["{", "}"])).toEqual([0, 1]);
  });

  test("two messages about the same kind of a business cause one run", async () => {
    const crbId = await givenCrb(connected);
    expect(await failedOf([message(crbId), message(crbId)])).toEqual([]);
    expect(await count(crbId)).toBe(4);
    expect(
      logged()
        .map((line) => line.outcome)
        .sort(),
    ).toEqual(["finished", "held"]);
  });
});

describe("a message succeeds without a run", () => {
  test("for an unknown business", async () => {
    expect(await failedOf([message(randomUUID())])).toEqual([]);
    expect(logged()[0]).toMatchObject({ outcome: "notConnected" });
  });

  test("for a business without a POS", async () => {
    expect(await failedOf([message(await givenCrb(null))])).toEqual([]);
    expect(logged()[0]).toMatchObject({ outcome: "notConnected" });
  });

  test("for a kind that another worker is replicating", async () => {
    const crbId = await givenCrb(connected);
    await acquireLease(table, crbId, "location");
    expect(await failedOf([message(crbId)])).toEqual([]);
    expect(await count(crbId)).toBe(0);
  });
});

test("a POS type that the stage no longer offers is shown as failing, and is replicated once the stage offers it again", async () => {
  vi.stubEnv("POS_CONNECTORS", "real");
  const crbId = await givenCrb({ ...connected, posType: "Alleaves" });
  const replication = async () => {
    const all = await readReplications(table, crbId, stages.local.replicateEverySeconds);
    return all.find(({ kind }) => kind === "inventory-locations");
  };
  expect(await failedOf([message(crbId)])).toEqual([]);
  expect(logged()).toMatchObject([
    { level: "WARN", crb_id: crbId, outcome: "failed", failure: "unreachable", code: "not_offered" },
  ]);
  expect(await replication()).toMatchObject({ state: "failing", error: "unreachable" });
  expect((await readCrb(table, crbId))?.record.pos_configs[0]?.status).toBe("Connected");

  vi.stubEnv("POS_CONNECTORS", "sandbox");
  expect(await failedOf([message(crbId)])).toEqual([]);
  expect(await replication()).toMatchObject({ state: "current", error: null });
});

test("a run that needs more time than the invocation has is queued again and continues where it stopped", async () => {
  const crbId = await givenCrb(connected);
  const ofCustomers = message(crbId, "customer");
  expect(await failedOf([ofCustomers], 80_000)).toEqual([]);
  expect(await count(crbId, "customer")).toBe(250);
  await expect.poll(() => sent.replication).toEqual([JSON.parse(ofCustomers)]);
  expect(logged()[0]).toMatchObject({ outcome: "unfinished", created: 250 });
  expect(await failedOf([ofCustomers])).toEqual([]);
  expect(logged()[1]).toMatchObject({ outcome: "finished", created: 300, unchanged: 0 });
  expect((await table.get(replicationKey(crbId, "customer")))?.held_until).toBe(0);
});

test("the numbers of written and rejected records are measured", async () => {
  const [one, other] = [await givenCrb(connected), await givenCrb(connected)];
  await failedOf([message(one), message(other)]);
  expect(measured()).toMatchObject([
    {
      _aws: {
        CloudWatchMetrics: [
          { Namespace: metricNamespace, Dimensions: [Object.keys(metricDimensions("replication", ""))] },
        ],
      },
      ...metricDimensions("replication", "local"),
      RecordsWritten: [4, 4],
      RecordsRejected: [0, 0],
    },
  ]);
  output.text = "";
  await failedOf(["{"]);
  expect(measured()).toEqual([]);
});

test.each([
  [undefined, {}],
  ["undecided", {}],
  ["own", { CredentialsRefused: 1 }],
  ["service", { PosTypeRefused: 1 }],
] as const)("rejected credentials with the fault %s are measured as %j", (rejection, expected) => {
  const times = { retryAt: new Date(), since: new Date(), attempts: 2 };
  measureResult({ outcome: "failed", failure: "credentialsRefused", code: "401", ...times, rejection });
  measureResult({ outcome: "failed", failure: "unreachable", code: "503", ...times });
  publishMetrics();
  const [{ CredentialsRefused, PosTypeRefused, PosUnreachable } = {}] = measured() as Record<string, number>[];
  expect(PosUnreachable).toBe(1);
  expect({ CredentialsRefused, PosTypeRefused }).toEqual({
    CredentialsRefused: undefined,
    PosTypeRefused: undefined,
    ...expected,
  });
});

test("the share of sales whose sums are mismatched is measured", async () => {
  const crbId = await givenCrb(connected);
  const sale = (id: string, subtotal: number) => ({ ...plainSale(id, 0, "2026-03-01T12:00:00.000Z", null), subtotal });
  const connector: Connector = {
    verify: async () => [],
    pull: async () => ({
      records: [sale("1", 1_000), sale("2", 1_000), sale("3", 10), sale("4", 1_000)] as never[],
      rejected: [],
      total: null,
      next: { watermark: "1" },
      complete: true,
    }),
  };
  const message = { crb_id: crbId, kind: "sale" } as const;
  const result = await replicateCrb(table, message, {
    deadline: new Date(Date.now() + 60_000),
    connectorOf: () => connector,
  });
  expect(result).toMatchObject({ outcome: "finished", compared: 4, mismatched: 1 });
  measureResult(result);
  publishMetrics();
  expect(measured()).toMatchObject([{ MismatchedSums: 25 }]);
  expect((await table.get(replicationKey(crbId, "sale")))?.succeeded_counts).toMatchObject({
    compared: 4,
    mismatched: 1,
  });
});

test("a response that needs confirmation is logged as a warning and measured by the number of its records", async () => {
  const crbId = await givenCrb(connected);
  const elsewhere = new ScriptedStock(300);
  elsewhere.put(...Array.from({ length: 300 }, (_, i) => stockOf(`elsewhere ${i}`, { "101": 1 })));
  await replicate(table, { ...testConnection, crbId, posType: connected.posType }, elsewhere, "inventory");
  const message = JSON.stringify({ crb_id: crbId, kinds: ["inventory"] });
  await failedOf([message]);
  expect(logged()).toMatchObject([
    { level: "WARN", crb_id: crbId, outcome: "finished", created: 250, changed: 0, unconfirmed: { records: 300 } },
  ]);
  expect(measured()).toMatchObject([{ RecordsUnconfirmed: 300, RecordsWritten: 250 }]);
  output.text = "";
  await failedOf([message]);
  expect(logged()).toMatchObject([{ level: "INFO", outcome: "finished", changed: 300 }]);
  expect(measured()[0]).not.toHaveProperty("RecordsUnconfirmed");
});

test("texts of messages and of the POS are not logged", async () => {
  const crbId = await givenCrb(connected);
  await failedOf([message(crbId, "customer"), "plain text", JSON.stringify({ crb_id: crbId, kinds: ["plain text"] })]);
  expect(output.text).toContain(crbId);
  for (const value of ["plain text", "555-01", "example.com", "Pearl"]) expect(output.text).not.toContain(value);
});
