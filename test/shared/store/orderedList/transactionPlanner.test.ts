import { randomUUID } from "node:crypto";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../../shared/store/keys/positions.ts";
import { loadOrderState } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import {
  type ComparedRecord,
  noListStates,
  type RecordOptions,
  TransactionPlanner,
} from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { TransactionSize } from "../../../../shared/store/transactionSize.ts";
import { bytesOf } from "../../../system/realRules/throughput.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { recordId, TestClock } from "./listUnderTest.ts";

const table = useTestTable();
const noon = "2026-03-10T12:00:00.000Z";

const newSaleList = () => recordList(randomUUID(), "sale", 8);
const term = { field: "customer_id", value: "c" };
const options: RecordOptions = { extractSaleDay: () => "2026-01-31", extractIndexedFields: () => [term] };
const planner = (list: OrderedList, more: RecordOptions = options, clock = new TestClock(noon)) =>
  new TransactionPlanner(table(), list, more, clock);

const id = recordId(1);
const content = { note: "ä" };
const fresh: ComparedRecord = { id, content, hash: "h", stored: undefined };
/** With its dates, its text is so long that it is stored plain. */
const long: ComparedRecord = {
  ...fresh,
  content: { note: "x".repeat(16_290), svc_created_date: null, svc_updated_date: null },
};
const changed: ComparedRecord = {
  ...fresh,
  stored: {
    rank: "2026-03-01#00000009",
    saleRank: "2026-01-02#00000003",
    hash: "g",
    created: noon,
    body: JSON.stringify({ note: "a longer note, ".repeat(200) }),
  },
};

test.each([
  ["at once", noon, noon, true],
  ["a second later", noon, "2026-03-10T12:00:01.000Z", true],
  ["later than that", noon, "2026-03-10T12:00:01.001Z", false],
  ["while midnight is further than 25 s", "2026-03-10T23:59:34.500Z", "2026-03-10T23:59:34.999Z", true],
  ["closer to it", "2026-03-10T23:59:34.500Z", "2026-03-10T23:59:35.000Z", false],
  ["on the next day", "2026-03-10T23:59:59.900Z", "2026-03-11T00:00:00.200Z", false],
])("a plan may still be committed or not: %s", (_, planned, now, isFresh) => {
  const size = new TransactionSize();
  const plan = { now: new Date(planned), batch: [], writes: [], size, ranks: [], next: noListStates };
  expect(planner(newSaleList(), options, new TestClock(now)).isFresh(plan)).toBe(isFresh);
});

/** Each sale is the first of a complete day, and flagged. */
const flagged: RecordOptions = {
  ...options,
  extractFigures: () => ({ records: 1, "red_flag.count": 1 }),
  completedDays: { until: "2026-02-28", at: noon },
};

test.each([
  ["new", fresh, options],
  ["new, long", long, options],
  ["changed", changed, options],
  ["flagged", fresh, flagged],
])("the size of a transaction counts each of its items: a %s record", async (_, compared, recordOptions) => {
  const list = newSaleList();
  if (compared.stored) {
    // Takes the positions that the record leaves.
    for (const [order, rank] of [
      [list.orders.rank, compared.stored.rank],
      [list.orders.saleRank ?? expect.fail(), compared.stored.saleRank ?? ""],
    ] as const) {
      const { day, slot } = parsePosition(rank);
      const moves = Array.from({ length: slot + 2 }, () => ({ to: day }));
      const at = new Date(`${day}T10:00:00.000Z`);
      await table().transact(planMoves(table(), await loadOrderState(table(), order), moves, at).writes);
    }
  }
  const own = planner(list, recordOptions);
  const changes = await own.changes([compared]);
  const { batch, writes, size } = await own.plan(changes, noListStates);
  expect(batch).toEqual(changes);
  expect(writes.length).toBeGreaterThan(5);
  expect(size.items).toBe(writes.length);
  const items = writes.map(({ Put, Update, Delete, ConditionCheck }) => {
    const item = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? expect.fail();
    return bytesOf(marshall(item, { removeUndefinedValues: true }));
  });
  const bytes = items.reduce((sum, one) => sum + one, 0);
  // The stored version of the changed record is compressed, too.
  expect(size.bytes).toBeGreaterThanOrEqual(bytes);
  expect(size.bytes).toBeLessThanOrEqual(bytes + 50);
});

test("a transaction stores as many of the changes as fit", async () => {
  const own = planner(newSaleList());
  const many = Array.from({ length: 120 }, (_, i) => ({ ...fresh, id: recordId(i) }));
  const { batch, writes } = await own.plan(own.changes(many), noListStates);
  expect(batch.map((change) => change.id)).toEqual(many.slice(0, batch.length).map((compared) => compared.id));
  expect(writes.length).toBeLessThanOrEqual(99);
  expect(writes.length).toBeGreaterThan(92);
});

test("a transaction stores fewer changes if it may take fewer units, and at least one", async () => {
  const own = planner(newSaleList());
  const many = Array.from({ length: 20 }, (_, i) => ({ ...long, id: recordId(i) }));
  const batchOf = async (maxUnits: number) => (await own.plan(own.changes(many), noListStates, maxUnits)).batch.length;
  // Each record of 17 KB takes 34 units.
  expect([await batchOf(34 * 3), await batchOf(34 * 4 - 1), await batchOf(1)]).toEqual([3, 3, 1]);
});

test("a list with an order by sale day needs the sale day of its records", async () => {
  const list = newSaleList();
  const withoutSaleDay = planner(list, {});
  await expect(withoutSaleDay.plan(withoutSaleDay.changes([fresh]), noListStates)).rejects.toThrow(
    `${list.pk} has an order by sale day, but the written record has no sale day`,
  );
});
