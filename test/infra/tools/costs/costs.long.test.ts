import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { measured } from "../../../../infra/constructs/measuredUsage.ts";
import { messagesPerSecond } from "../../../../infra/constructs/replicationCapacity.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import { load } from "../../../../infra/tools/costs/usage.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { posTypes } from "../../../../shared/api/pos/posTypes.ts";
import { tryCompleteSalesDays } from "../../../../shared/domain/replication/completeSalesDays.ts";
import { planReplications } from "../../../../shared/domain/replication/planReplications.ts";
import { readRunFacts, replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import type { RawItem } from "../../../../shared/store/client.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { entryPrefix, recordIdOfEntry } from "../../../../shared/store/keys/indexEntries.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { fenceKey } from "../../../../shared/store/keys/replication.ts";
import { withRawText } from "../../../../shared/store/recordText.ts";
import { tableIndexes } from "../../../../shared/store/schema.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { localDay } from "../../../../shared/time/localTime.ts";
import { costOf } from "../../../bench/capacity.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { testConnection } from "../../../shared/pos/sandbox/testConnection.ts";
import { TestClock } from "../../../shared/store/orderedList/listUnderTest.ts";
import { bytesOf } from "../../../system/realRules/throughput.ts";
import { scanRaw } from "../../../tableState.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";

// Compares the assumed costs of replication with the measured ones for a business of the sandbox.

Object.assign(process.env, { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
useTestServiceKey();
const sent = useQueues();
const table = useTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");
const connector = sandboxConnector(stages.prod.sandboxTickSeconds);
const crbId = randomUUID();
const first = {} as Record<RecordKind, Awaited<ReturnType<typeof turn>>>;

const turn = (kind: RecordKind) =>
  costOf(table().client, () =>
    replicateCrb(
      table(),
      { crb_id: crbId, kind },
      { deadline: new Date(clock.time + 600_000), clock, connectorOf: () => connector },
    ),
  );

/**
 * The second and the third run of each kind, which find nothing new. The second one still looks for what the first one may
 * have left.
 */
async function nextRuns() {
  const runs = [];
  for (const kind of recordKinds) {
    clock.advance(10_000);
    const second = await turn(kind);
    clock.advance(10_000);
    const third = await turn(kind);
    for (const { result } of [second, third]) expect(result).toMatchObject({ created: 0, changed: 0 });
    runs.push({ kind, second, third, unchanged: (third.result as { unchanged: number }).unchanged });
  }
  return runs;
}

/** Runs some kinds like a message of the queue. */
function runMessage(kinds: readonly RecordKind[]) {
  const facts = readRunFacts(table(), crbId);
  const options = { deadline: new Date(clock.time + 600_000), clock, connectorOf: () => connector, facts };
  return Promise.all(kinds.map((kind) => replicateCrb(table(), { crb_id: crbId, kind }, options)));
}

/** Plans each minute of some hours. Returns the messages and kinds, and the units of a message in the planner. */
async function planHours(hours: number) {
  const plan = () => planReplications(table(), { intervals: stages.prod.replicateEverySeconds, clock });
  await plan();
  // Each call also reads a few items, for any number of CRBs; if one is due, those of the POS types, too.
  const idle = await costOf(table().client, plan);
  const before = sent.replication.length;
  const total = { readUnits: 0, writeUnits: 0 };
  for (let minute = 0; minute < 60 * hours; minute++) {
    clock.advance(60_000);
    const { readUnits, writeUnits, result } = await costOf(table().client, plan);
    total.readUnits += readUnits - idle.readUnits - (result.ask > 0 ? Object.keys(posTypes).length / 2 : 0);
    total.writeUnits += writeUnits - idle.writeUnits;
  }
  const messages = (sent.replication as { kinds: RecordKind[] }[]).slice(before);
  const kinds = new Map(recordKinds.map((kind) => [kind, messages.filter((each) => each.kinds.includes(kind)).length]));
  return {
    ...{ hours, kinds, messages: messages.length },
    readUnits: total.readUnits / messages.length,
    writeUnits: total.writeUnits / messages.length,
  };
}

/** Within a tenth, or half a unit. */
function expectNear(found: number, taken: number): void {
  expect(Math.abs(found - taken), `${found} against ${taken}`).toBeLessThanOrEqual(Math.max(taken / 10, 0.5));
}

async function createTestCrb(crbId: string): Promise<void> {
  const connectedAt = clock.now().toISOString();
  const connection = { posType: "Dutchie", locationId: null, connectedAt } as const;
  const record = {
    ...crbRecord(crbId),
    pos_configs: [{ name: "Dutchie", updated_date: connectedAt, status: "Connected" }],
  };
  await createCrb(table(), { record, serviceProviderId: randomUUID(), connection } as never, clock);
}

beforeAll(async () => {
  await createTestCrb(crbId);
  clock.advance(60_000);
  for (const kind of recordKinds) first[kind] = await turn(kind);
}, 240_000);

test.each(recordKinds)("the costs of a new record of kind %s are as assumed", (kind) => {
  const { readUnits, writeUnits, result } = first[kind];
  const created = "created" in result ? result.created : expect.fail();
  expect(created).toBeGreaterThan(0);
  expectNear(readUnits / created, measured.newRecord[kind].readUnits);
  expectNear(writeUnits / created, measured.newRecord[kind].writeUnits);
});

test("compressed records, a year of them and their share without indexes take the assumed bytes", async () => {
  const items = await scanRaw(table());
  const bytesOfShop = (form: (item: RawItem) => RawItem, count = storedBytes) =>
    recordKinds.reduce((sum, kind) => {
      const { pk } = recordList(crbId, kind);
      const ids = new Set(items.flatMap((item) => (item.pk?.S === pk ? [item.sk?.S] : [])));
      const isOfKind = (item: RawItem) => {
        if (item.pk?.S?.startsWith(entryPrefix)) return ids.has(recordIdOfEntry(item.sk?.S ?? ""));
        return item.pk?.S === pk || item.pk?.S?.startsWith(`${pk}#`);
      };
      const bytes = items.filter(isOfKind).reduce((all, item) => all + count(form(item)), 0);
      return sum + (bytes / ids.size) * load.newADay[kind];
    }, 0);
  const share = bytesOfShop((item) => item) / bytesOfShop(withRawText);
  expectWithinTenth(share, measured.tableShare);
  const day = bytesOfShop((item) => item);
  expectWithinTenth((day * 365) / 1e9, measured.gigabytesOfYear);
  expectWithinTenth(bytesOfShop((item) => item, bytesOf) / day, measured.backedUpShare);
});

function expectWithinTenth(found: number, taken: number): void {
  expect(Math.abs(found / taken - 1), `${found} against ${taken}`).toBeLessThanOrEqual(0.1);
}

/** Bytes of an item in the table and in all indexes that have it. */
function storedBytes(item: RawItem): number {
  return bytesOf(item) * (1 + Object.values(tableIndexes).filter((attribute) => item[attribute]).length);
}

test("the cost of completing a sales day is as assumed", async () => {
  const key = fenceKey(crbId, "sale");
  const number = (await table().get(key, { consistent: true }))?.fence as number;
  const connection = { ...testConnection, crbId };
  const context = { table: table(), connection, fence: { key, number }, clock, deadline: undefined, cutOff: undefined };
  const [now = "", tomorrow = ""] = [0, 24].map((hours) => new Date(clock.time + hours * 3_600_000).toISOString());
  const before = { until: addDays(localDay(new Date(now), connection.timezone), -1), at: now };
  const { readUnits, writeUnits } = await costOf(table().client, () => tryCompleteSalesDays(context, tomorrow, before));
  expectNear(readUnits, measured.completedSalesDay.readUnits);
  expectNear(writeUnits, measured.completedSalesDay.writeUnits);
});

test("the costs of runs without news, of the planner's part, and of unchanged records are as assumed", async () => {
  const { unchanged, announcement, turn: assumed } = measured;
  const runs = await nextRuns();
  clock.advance(10_000);
  const together = await costOf(table().client, () => runMessage(recordKinds));
  for (let i = 0; i < 19; i++) await createTestCrb(randomUUID());
  const planned = await planHours(3);
  const perMessage = (units: "readUnits" | "writeUnits") => {
    const own = ({ third, unchanged: read }: (typeof runs)[number]) =>
      third[units] - (units === "readUnits" ? read * unchanged.readUnits : 0);
    // The runs of a message share some reads.
    const apart = runs.reduce((sum, { third }) => sum + third[units], 0);
    const shared = (apart - together[units]) / (recordKinds.length - 1);
    const ofRuns = runs.reduce((sum, run) => sum + (own(run) - shared) * (planned.kinds.get(run.kind) ?? 0), 0);
    return planned[units] + shared + ofRuns / planned.messages;
  };
  const frequency = planned.messages / planned.hours / 20;
  expect(frequency).toBeGreaterThan(0.95 * 3_600 * messagesPerSecond(stages.prod));
  expect(frequency).toBeLessThan(1.05 * 3_600 * messagesPerSecond(stages.prod));
  expectNear(perMessage("readUnits"), assumed.readUnits);
  expectNear(perMessage("writeUnits"), assumed.writeUnits);
  const inventory = runs.find(({ kind }) => kind === "inventory") ?? expect.fail();
  expect(inventory.unchanged).toBeGreaterThan(500);
  const location = runs.find(({ kind }) => kind === "location") ?? expect.fail();
  const readOfRecords = inventory.third.readUnits - location.third.readUnits;
  // The random ids decide how many items the fingerprints take.
  expect(readOfRecords / inventory.unchanged).toBeLessThanOrEqual(unchanged.readUnits + 0.005);
  // The first run of customers stored records. So its event takes one read unit, and the second run the others.
  const customers = runs.find(({ kind }) => kind === "customer") ?? expect.fail();
  expectNear(customers.second.readUnits - customers.third.readUnits, announcement.readUnits - 1);
});
