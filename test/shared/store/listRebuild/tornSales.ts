import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type Item, itemId, type Table } from "../../../../shared/store/client.ts";
import { entryPrefix } from "../../../../shared/store/keys/indexEntries.ts";
import { type ListReport, rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import type { SalesQuery } from "../../../../shared/store/sales.ts";
import { scan } from "../../../tableState.ts";
import { createTestTable } from "../../../testTable.ts";
import { interceptCalls, TestClock } from "../orderedList/listUnderTest.ts";
import { type SaleOf, SalesUnderTest, saleDate } from "../orderedList/salesUnderTest.ts";
import { faultsOfTotals } from "../salesDays/faultsOfTotals.ts";

const msPerDay = 24 * 3_600_000;

/** The parts in which one fact is stored. */
export const parts = ["record", "directory", "bitmap", "entry", "totals"] as const;
type Part = (typeof parts)[number];

/** One write of the log that a restore replays. */
interface LoggedWrite {
  key: { pk: string; sk: string };
  /** undefined for a deletion */
  item: Item | undefined;
}

/** A business before one transaction changed its sales, and the transaction's single writes. */
export interface TornSales {
  sales: SalesUnderTest;
  clock: TestClock;
  before: readonly Item[];
  writes: readonly LoggedWrite[];
  /** The sales in the POS. */
  current: readonly SaleOf[];
}

/** Some 30 sales on three update days. More than half are of one customer. */
export async function tornSales(): Promise<TornSales> {
  const table = await createTestTable();
  const sales = new SalesUnderTest();
  await sales.begin(table);
  const clock = new TestClock("2025-06-01T10:00:00.000Z");
  const writer = sales.writer(table, clock);
  const current = new Map<number, SaleOf>();
  const write = async (changed: readonly SaleOf[]) => {
    for (const sale of changed) current.set(sale.name, sale);
    await writer.write(changed);
  };
  const sale = (name: number): SaleOf => ({
    name,
    customer: name % 2 === 0 ? "anonymous" : `customer ${name % 7}`,
    day: 1 + (name % 4),
    version: 0,
  });
  for (let name = 0; name < 30; name += 5) await write([0, 1, 2, 3, 4].map((i) => sale(name + i)));
  clock.advance(msPerDay);
  await write([3, 4, 11, 12, 13].map((name) => ({ ...sale(name), version: 1 })));
  clock.advance(msPerDay);
  await write([{ ...sale(20), version: 1 }]);
  const before = await scan(table);
  const calls = interceptCalls(table);
  let transactions = 0;
  calls.before = (command) => void (command.startsWith("TransactWrite") && transactions++);
  // A new sale, a changed one, one that moves to another day, and two of other customers.
  await write([
    { ...sale(40), version: 0 },
    { ...sale(2), version: 1 },
    { ...sale(5), day: 6, version: 1 },
    { ...sale(6), customer: "customer 1", version: 1 },
    { ...sale(7), customer: "anonymous", version: 1 },
  ]);
  expect(transactions).toBe(1);
  return { sales, clock, before, writes: differencesOf(before, await scan(table)), current: [...current.values()] };
}

function differencesOf(before: readonly Item[], after: readonly Item[]): LoggedWrite[] {
  const [old, fresh] = [before, after].map((items) => new Map(items.map((item) => [itemId(item), item])));
  const keys = new Map([...before, ...after].map(({ pk, sk }) => [itemId({ pk, sk }), { pk, sk }]));
  return [...keys]
    .map(([id, key]) => ({ key, item: fresh?.get(id), before: old?.get(id) }))
    .filter(({ item, before }) => !isDeepStrictEqual(item, before));
}

/** The part of a fact that a write belongs to. */
export function partOf({ key: { pk } }: LoggedWrite): Part {
  if (/DAYS$/.test(pk)) return "directory";
  if (/SLOTS$/.test(pk)) return "bitmap";
  if (/TOTALS$/.test(pk)) return "totals";
  return pk.startsWith(entryPrefix) ? "entry" : "record";
}

/** The items of the restored table if the log has only these parts of the transaction. */
export function restored({ before, writes }: TornSales, kept: readonly Part[]): Item[] {
  const ofParts = writes.filter((write) => kept.includes(partOf(write)));
  return afterWrites(before, ofParts);
}

/** The restored table if the log has only some of a transaction's writes. */
export function afterWrites(before: readonly Item[], writes: readonly LoggedWrite[]): Item[] {
  const items = new Map(before.map((item) => [itemId(item), item]));
  for (const { key, item } of writes) {
    if (item) items.set(itemId(key), item);
    else items.delete(itemId(key));
  }
  return [...items.values()];
}

export function checkSales(table: Table, { sales, clock }: TornSales): Promise<ListReport> {
  return rebuildList(table, sales.list, { clock, fence: sales.fence, isCheck: true });
}

export function rebuildSales(table: Table, { sales, clock }: TornSales): Promise<ListReport> {
  clock.advance(1_000);
  return rebuildList(table, sales.list, { clock, fence: sales.fence });
}

/** One query for each index that serves a combination of filters. */
const queries: Omit<SalesQuery, "offset" | "limit">[] = [
  {},
  { last_updated_from: "2025-06-02", last_updated_to: "2025-06-02" },
  { start_date: saleDate(2), end_date: saleDate(5) },
  { start_date: saleDate(2), last_updated_from: "2025-06-02" },
  ...["anonymous", "customer 1", "customer 5"].map((customer) => ({ pos_customer_id: customer })),
  { pos_customer_id: "anonymous", start_date: saleDate(2), last_updated_from: "2025-06-02" },
];

/** Expects every list of sales to agree with the stored records, page by page; so do the digest and the totals of days. */
export async function expectSound(table: Table, torn: TornSales): Promise<void> {
  const { sales } = torn;
  expect(faultsOfTotals(await scan(table), sales.list)).toEqual([]);
  for (const query of queries) {
    for (const window of [
      { offset: 0, limit: 1_000 },
      { offset: 2, limit: 3 },
    ]) {
      const page = await sales.page(table, { ...query, ...window });
      expect(page, JSON.stringify(query)).toEqual(await sales.expected(table, { ...query, ...window }));
    }
  }
}

/** The versions of all sales, by name. */
export async function versions(table: Table, { sales }: TornSales): Promise<string[]> {
  return (await sales.page(table, { offset: 0, limit: 1_000 })).sales.sort();
}
