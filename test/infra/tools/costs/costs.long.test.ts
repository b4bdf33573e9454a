import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { measured } from "../../../../infra/constructs/measuredUsage.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import { load } from "../../../../infra/tools/costs/usage.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { tryCompleteSalesDays } from "../../../../shared/domain/replication/completeSalesDays.ts";
import { planReplications } from "../../../../shared/domain/replication/planReplications.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
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
import { type Cost, costOf } from "../../../bench/capacity.ts";
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
useQueues();
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
  const intervals = stages.prod.replicateEverySeconds;
  // The planner also reads a few items in each call, for any number of CRBs.
  for (let i = 0; i < 40; i++) await createTestCrb(randomUUID());
  clock.advance(61_000);
  const asking = await costOf(table().client, () =>
    planReplications(table(), {
      intervals,
      clock,
      random: () => 0.5,
      deadline: new Date(clock.time + 60_000),
    }),
  );
  expect(asking.result.ask).toBe(41 * recordKinds.length);
  const runs = await nextRuns();
  const sumOf = (unitsOf: (run: (typeof runs)[number]) => number) => runs.reduce((sum, run) => sum + unitsOf(run), 0);
  const perRun = (unitsOf: (run: (typeof runs)[number]) => number) =>
    sumOf((run) => unitsOf(run) / intervals[run.kind]) / sumOf(({ kind }) => 1 / intervals[kind]);
  const { unchanged, announcement } = measured;
  const planned = (units: keyof Pick<Cost, "readUnits" | "writeUnits">) => asking[units] / asking.result.ask;
  const read = perRun((run) => run.third.readUnits - run.unchanged * unchanged.readUnits);
  expectNear(read + planned("readUnits"), measured.turn.readUnits);
  expectNear(perRun(({ third }) => third.writeUnits) + planned("writeUnits"), measured.turn.writeUnits);
  const inventory = runs.find(({ kind }) => kind === "inventory") ?? expect.fail();
  expect(inventory.unchanged).toBeGreaterThan(500);
  const readOfRecords = inventory.third.readUnits - (measured.turn.readUnits - planned("readUnits"));
  // The random ids decide how many items the fingerprints take.
  expect(readOfRecords / inventory.unchanged).toBeLessThanOrEqual(unchanged.readUnits + 0.005);
  // The first run of customers stored records. So its event takes one read unit, and the second run the others.
  const customers = runs.find(({ kind }) => kind === "customer") ?? expect.fail();
  expectNear(customers.second.readUnits - customers.third.readUnits, announcement.readUnits - 1);
});
