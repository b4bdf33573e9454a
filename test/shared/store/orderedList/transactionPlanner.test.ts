import { randomUUID } from "node:crypto";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { itemId } from "../../../../shared/store/client.ts";
import type { Key } from "../../../../shared/store/keys/key.ts";
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
  const plan = { now: new Date(planned), writes: [], ranks: [], next: noListStates };
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
])("the estimated size of a transaction counts each of its items: a %s record", async (_, compared, recordOptions) => {
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
  const { items } = own.costOf(changes[0] ?? expect.fail());
  const { writes } = await own.plan(changes, noListStates);
  const keys = writes.map(({ Put, Update, Delete, ConditionCheck }) => {
    const { pk, sk } = (Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? expect.fail()) as Key;
    return itemId({ pk, sk });
  });
  expect(keys.length).toBeGreaterThan(5);
  const dayIndexes = Object.values(list.orders).map((order) => order?.dayIndexPartition);
  const counted = new Set(items.map(({ key }) => itemId(key)));
  // The day index of the newest year is counted once for any year, and a check of the years next to it has no size.
  expect(keys.filter((key) => !counted.has(key) && !dayIndexes.some((pk) => key.startsWith(`${pk}`)))).toEqual([]);
  const bytes = items.find(({ key }) => key.sk === id)?.bytes ?? 0;
  const item = writes.find(({ Put }) => Put?.Item?.sk === id)?.Put?.Item ?? expect.fail();
  // A stored version of 3 KB counts half, because it is compressed.
  const needed = Math.max(bytesOf(marshall(item, { removeUndefinedValues: true })), compared.stored ? 1_506 : 0);
  expect(bytes).toBeGreaterThanOrEqual(needed);
  expect(bytes).toBeLessThanOrEqual(needed + 400);
});

test("a list with an order by sale day needs the sale day of its records", async () => {
  const list = newSaleList();
  const withoutSaleDay = planner(list, {});
  const [change] = withoutSaleDay.changes([fresh]);
  expect(() => withoutSaleDay.costOf(change as NonNullable<typeof change>)).toThrow(
    `${list.pk} has an order by sale day, but the written record has no sale day`,
  );
});
