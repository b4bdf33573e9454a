import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Key } from "../../../../shared/store/keys/key.ts";
import { type OrderedList, recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { planEntryMoves } from "../../../../shared/store/orderedList/indexEntries.ts";
import { listMoveKeys } from "../../../../shared/store/orderedList/planMoves.ts";
import {
  type ComparedRecord,
  type RecordOptions,
  TransactionPlanner,
} from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { recordId, TestClock } from "./listUnderTest.ts";
import { recordReads } from "./recordReads.ts";

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
const changed: ComparedRecord = {
  ...fresh,
  stored: {
    rank: "2026-03-01#00000009",
    saleRank: "2026-01-02#00000003",
    hash: "g",
    created: noon,
    body: '{"note":"a longer"}\n',
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
  const plan = { now: new Date(planned), writes: [], ranks: [], next: new Map() };
  expect(planner(newSaleList(), options, new TestClock(now)).isFresh(plan)).toBe(isFresh);
});

test("a change has these items in its transaction: its record, its index entries and its positions in both orders", async () => {
  const list = newSaleList();
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error("sales are kept by sale day");
  const of = async (compared: ComparedRecord) => {
    const [change] = await planner(list).changes([compared]);
    return planner(list).costOf(change as NonNullable<typeof change>);
  };
  const days = (update: string, sale: string) => [
    { field: "rank", value: update },
    { field: "saleRank", value: sale },
  ];
  const entries = planEntryMoves(list, id, undefined, [term, ...days("2026-03-10", "2026-01-31")]).map(
    ({ key }) => key,
  );
  const places = (from: { rank?: string; saleRank?: string }) => [
    ...listMoveKeys(rank, { from: from.rank, to: "2026-03-10" }),
    ...listMoveKeys(saleRank, { from: from.saleRank, to: "2026-01-31" }),
  ];
  const record = (bytes: number) => ({ key: recordKey(list, id), bytes });
  const sized = (keys: readonly Key[], bytes: number) => keys.map((key) => ({ key, bytes }));
  // The text has 12 characters, one of them of two bytes.
  expect(await of(fresh)).toEqual({
    items: [record(13 + 400), ...sized(entries, 100), ...sized(places({}), 0)],
    group: "",
  });
  const left = planEntryMoves(list, id, undefined, days("2026-03-01", "2026-01-02")).map(({ key }) => key);
  expect(await of(changed)).toEqual({
    items: [record(20 + 400), ...sized([...entries, ...left], 100), ...sized(places(changed.stored ?? {}), 0)],
    group: "2026-03-01#00001",
  });
});

test("the position in a dedicated index is read consistently, and only if the value has one", async () => {
  const list = newSaleList();
  const [entry] = planEntryMoves(list, id, undefined, [term]);
  const reads = recordReads(table());
  await planner(list).changes([changed]);
  await planner(list).changes([fresh], { [entry?.key.pk ?? ""]: 1 });
  expect(reads).toEqual([]);
  const [change] = await planner(list).changes([changed], { [entry?.key.pk ?? ""]: 1 });
  expect(reads).toEqual([{ asks: [entry?.key.sk], consistent: true }]);
  expect(change?.entries[0]?.dedicatedMove?.from).toBeUndefined();
});

test("a list with an order by sale day needs the sale day of its records", async () => {
  const list = newSaleList();
  const withoutSaleDay = planner(list, {});
  const [change] = await withoutSaleDay.changes([fresh]);
  expect(() => withoutSaleDay.costOf(change as NonNullable<typeof change>)).toThrow(
    `${list.pk} has an order by sale day, but the written record has no sale day`,
  );
});
