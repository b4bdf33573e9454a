import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import {
  type ComparedRecord,
  noListStates,
  type RecordOptions,
  renderBody,
  TransactionPlanner,
} from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { TransactionSize } from "../../../../shared/store/transactionSize.ts";
import { createTestTable } from "../../../testTable.ts";
import { interceptCalls, recordId, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest } from "./salesUnderTest.ts";

const table = await createTestTable();
const noon = "2026-03-10T12:00:00.000Z";

const newSaleList = () => recordList(randomUUID(), "sale", 8);
const term = { field: "customer_id", value: "c" };
const options: RecordOptions = { extractSaleDay: () => "2026-01-31", extractIndexedFields: () => [term] };
const planner = (list: OrderedList, more: RecordOptions = options, clock = new TestClock(noon)) =>
  new TransactionPlanner(table, list, more, clock);

const id = recordId(1);
const content = { note: "ä" };
const fresh: ComparedRecord = { id, content, hash: "h", stored: undefined };
/** With its dates, its text is so long that it is stored plain. */
const long: ComparedRecord = {
  ...fresh,
  content: { note: "x".repeat(16_290), svc_created_date: null, svc_updated_date: null },
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

test("a transaction stores as many of the changes as fit", async () => {
  const own = planner(newSaleList());
  const many = Array.from({ length: 120 }, (_, i) => ({ ...fresh, id: recordId(i) }));
  const { batch, writes } = await own.plan(own.changes(many), noListStates);
  expect(batch.map((change) => change.id)).toEqual(many.slice(0, batch.length).map((compared) => compared.id));
  expect(writes.length).toBeLessThanOrEqual(99);
  expect(writes.length).toBeGreaterThan(92);
});

test("changes that leave many days share transactions, although each day takes writes of its own", async () => {
  const [sales, clock] = [new SalesUnderTest(), new TestClock(noon)];
  await sales.begin(table);
  const stored = Array.from({ length: 80 }, (_, name) => ({ name, customer: null, day: 1 + (name % 30), version: 0 }));
  for (const sale of stored) {
    await sales.writer(table, clock).write([sale]);
    clock.advance(24 * 3_600_000);
  }
  let transactions = 0;
  const calls = interceptCalls(table);
  calls.before = (command) => void (command.startsWith("TransactWrite") && transactions++);
  await sales.writer(table, clock).write(stored.map((sale) => ({ ...sale, day: 31 })));
  calls.before = () => undefined;
  expect(transactions).toBeLessThanOrEqual(4);
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

test("only dates that a record has are inserted, in their place", () => {
  const dates = { created: "2026-03-01T10:00:00.000Z", updated: "2026-03-02T10:00:00.000Z" };
  const [created, updated] = [`"svc_created_date":"${dates.created}"`, `"svc_updated_date":"${dates.updated}"`];
  expect(renderBody({ svc_updated_date: null, id: "a", svc_created_date: null }, dates)).toBe(
    `{${updated},"id":"a",${created}}`,
  );
  expect(renderBody({ svc_created_date: null, id: "a" }, dates)).toBe(`{${created},"id":"a"}`);
  expect(renderBody({ id: "a", svc_updated_date: null }, dates)).toBe(`{"id":"a",${updated}}`);
});
