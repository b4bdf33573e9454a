import { randomUUID } from "node:crypto";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import type { Table } from "../../../shared/store/client.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { WriterOptions } from "../../../shared/store/orderedList/recordWriter.ts";
import { digestRecord } from "../../../shared/store/recordDigest.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { type Sale, saleFigures } from "../../../shared/store/salesDays/dayFigures.ts";
import {
  applyContributions,
  type ContributionChange,
  readSalesWeeks,
  type SalesWeek,
  weekWrite,
} from "../../../shared/store/salesDays/salesWeek.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { createBusiness, standingFence } from "../data/business.ts";
import { daysAgo, indexes, noonOf, scattered, writeAll } from "../data/fill.ts";
import { type ShopSale, shopSaleMaker } from "../data/shopSales.ts";

const daysOfYear = 365;
/** The sales of a busy shop on one day. */
const salesADay = 400;
/** The number of measured sales. */
const measuredSales = 1_000;
/** The number of sales that are stored one by one, each by a writer of its own. */
const singleSales = 50;
/** The records of the list with a digest. */
const digestedRecords = 1_000;
/** The changes of that list on one day. */
const changedADay = 10;
const yesterday = daysAgo(1);

/** Measures the additional cost of the totals of sales days and of digests, and the cost of reading totals. */
export async function salesDays(bench: Bench): Promise<void> {
  await digests(bench);
  for (const sales of new Set([daysOfYear * salesADay, bench.records])) await totals(bench, sales);
}

/** A list to which sales are written, with or without totals. */
interface Shop {
  list: OrderedList;
  options: WriterOptions;
  make: ShopSale;
}

async function openShop(table: Table, crbId: string, make: ShopSale, hasTotals: boolean): Promise<Shop> {
  const { extractFigures, ...withoutTotals } = indexingOptions.sale;
  return {
    list: recordList(crbId, "sale"),
    options: {
      fence: await standingFence(table, crbId, "sale"),
      clock: noonOf(daysAgo(0)),
      ...withoutTotals,
      ...(hasTotals && { extractFigures }),
    },
    make,
  };
}

/**
 * Measures lists whose totals are those of the given number of sales, on random days of the year up to yesterday, a Sunday. Only the
 * totals of these sales are stored, because the units do not depend on the sales themselves.
 */
async function totals({ scratch: { table }, progress, figure }: Bench, sales: number): Promise<void> {
  const name = `Sales days, ${count(sales)} sales in a year`;
  progress(`${name}: adding up`);
  // Both lists get the same sales, because the sandbox makes other sales for another business.
  const { connection, crbId } = await createBusiness(table);
  const make = await shopSaleMaker(connection);
  const [counted, plain] = [await openShop(table, crbId, make, true), await openShop(table, randomUUID(), make, false)];
  await storeYear(table, counted, sales);
  const { readUnits, result } = await costOf(table.client, () =>
    readSalesWeeks(table, counted.list.totalsPartition ?? "", { from: daysAgo(daysOfYear), to: yesterday }),
  );
  const days = result.reduce((sum, week) => sum + week.days.size, 0);
  if (days !== daysOfYear) throw new Error(`${days} days in the year`);
  figure(`${name}: read of the year`, readUnits, "read units", { atMost: 12 });
  const year = { start_date: daysAgo(daysOfYear), end_date: yesterday, offset: 0, limit: daysOfYear };
  const listed = await costOf(table.client, () => readSalesDays(table, crbId, year));
  if (listed.result.days.length !== daysOfYear) throw new Error(`${listed.result.days.length} listed days`);
  figure(`${name}: the year as listed, without authorization`, listed.readUnits, "read units");

  progress(`${name}: writing sales`);
  /** The write units of a sale that are due to totals. */
  const measure = async (write: (shop: Shop) => Promise<unknown>, number = measuredSales) => {
    const [without, { writeUnits }] = [
      await costOf(table.client, () => write(plain)),
      await costOf(table.client, () => write(counted)),
    ];
    return (writeUnits - without.writeUnits) / number;
  };
  const numbers = (from: number, number = measuredSales) => Array.from(indexes(number), (index) => from + index);
  const write = ({ list, options, make }: Shop, numbers: number[], version: number, dayOf: (index: number) => string) =>
    writeAll(table, list, options, numbers, (index) => make(index, dayOf(index), version));
  const unit = "write units more";
  const added = await measure((shop) => write(shop, numbers(0), 0, () => yesterday));
  figure(`${name}: totals of a new sale, batch of one day`, added, unit, { atMost: 1 });
  const changed = await measure((shop) => write(shop, numbers(0), 1, () => yesterday));
  figure(`${name}: totals of a changed sale, batch of one day`, changed, unit);
  const complete = { completedDays: { until: yesterday, at: `${daysAgo(0)}T08:00:00.000Z` } };
  const revised = await measure(({ options, ...shop }) =>
    write({ ...shop, options: { ...options, ...complete } }, numbers(measuredSales), 0, () => daysAgo(2)),
  );
  figure(`${name}: totals of a new sale, batch of one complete day`, revised, unit);
  const random = xoroshiro128plus(6);
  const tenYears = numbers(0).map(() => daysAgo(1 + below(random, 10 * daysOfYear)));
  const ofTenYears = await measure((shop) =>
    write(shop, numbers(2 * measuredSales), 0, (index) => tenYears[index % measuredSales] ?? yesterday),
  );
  figure(`${name}: totals of a new sale, random days of ten years`, ofTenYears, unit);
  const oneByOne = async (shop: Shop) => {
    for (const index of numbers(3 * measuredSales, singleSales)) await write(shop, [index], 0, () => yesterday);
  };
  figure(`${name}: totals of a new sale, one sale a run`, await measure(oneByOne, singleSales), unit);
}

/** Stores the totals of any sales on random days of the year up to yesterday. All days before yesterday are complete. */
async function storeYear(table: Table, { list, make }: Shop, sales: number): Promise<void> {
  const random = xoroshiro128plus(4);
  let weeks: ReadonlyMap<string, SalesWeek> = new Map();
  const salesOn = new Map<number, number>();
  for (const _ of indexes(sales)) {
    const ago = 1 + below(random, daysOfYear);
    salesOn.set(ago, (salesOn.get(ago) ?? 0) + 1);
  }
  for (let ago = daysOfYear; ago >= 1; ago--) {
    const day = daysAgo(ago);
    const at = timeOn(random, daysAgo(ago - 1));
    const moves = Array.from({ length: salesOn.get(ago) ?? 0 }, (): ContributionChange => {
      const { id, content } = make(below(random, 1_000_000_000), day);
      const digest = digestRecord(id, { svc_updated_date: at });
      return { to: { day, figures: saleFigures(content as unknown as Sale), digest } };
    });
    const completed = ago > 1 && { until: day, at: timeOn(random, daysAgo(ago - 1)) };
    weeks = new Map([...weeks, ...applyContributions(weeks, moves, at, completed || undefined)]);
  }
  for (const week of weeks.values())
    await table.transact([weekWrite(table, list.totalsPartition ?? "", { ...week, version: 1 })]);
}

/** Returns a time between 7:00 and 9:00 UTC at random, since the milliseconds of a time take space in a week. */
const timeOn = (random: RandomGenerator, day: string): string =>
  new Date(Date.parse(`${day}T07:00:00.000Z`) + below(random, 7_200_000)).toISOString();

const below = (random: RandomGenerator, limit: number): number => (random.next() >>> 0) % limit;

/**
 * Measures how many more write units a change takes in a list with a digest. A few records change every day of a year, because
 * the digest is in the newest day index, which grows with the days.
 */
async function digests({ scratch: { table }, progress, figure }: Bench): Promise<void> {
  progress("Writing a list with a digest, and one without");
  const change = async (hasDigest: boolean) => {
    const crbId = randomUUID();
    const { pk, orders } = recordList(crbId, "product");
    const list = { pk, orders: { rank: { ...orders.rank, hasDigest } } };
    const fence = await standingFence(table, crbId, "product");
    const random = xoroshiro128plus(5);
    const writeDay = (ago: number, numbers: Iterable<number>) =>
      writeAll(table, list, { fence, clock: noonOf(daysAgo(ago)) }, numbers, (index) => {
        const id = recordId(crbId, "product", "Dutchie", String(index));
        return { id, content: { id, ago, svc_created_date: null, svc_updated_date: null } };
      });
    await writeDay(daysOfYear, indexes(digestedRecords));
    return costOf(table.client, async () => {
      for (let ago = daysOfYear - 1; ago >= 0; ago--) {
        await writeDay(ago, scattered(random, digestedRecords, changedADay / digestedRecords));
      }
    });
  };
  const [without, { writeUnits }] = [await change(false), await change(true)];
  figure(
    `Digest of a list, ${changedADay} changes on each day of a year: digest of a change`,
    (writeUnits - without.writeUnits) / (daysOfYear * changedADay),
    "write units more",
    { atMost: 0 },
  );
}
