import type { Table } from "./client.ts";
import { readCrb } from "./crbs.ts";
import { lastSlot, type RankedList, type RankOrder, rankOf, recordKey, recordList, type Term } from "./keys.ts";
import { type Day, liveRecords } from "./rankedList/directory.ts";
import { loadDirectories } from "./rankedList/directoryItems.ts";
import { openMatches } from "./rankedList/entries.ts";
import { joinStates, stateOf } from "./rankedList/listState.ts";
import { type DayWindow, daysWithin, isWithin } from "./rankedList/pagePlan.ts";
import { type OpenPage, openPage, type Page } from "./rankedList/readPage.ts";
import { recordId } from "./recordId.ts";
import { tableIndexes } from "./schema.ts";

/** Filters of a list of sales (contract 4.2, UPDATED and SALES), days as yyyy-MM-dd. */
export interface SalesQuery {
  offset: number;
  limit: number;
  last_updated_from?: string | undefined;
  last_updated_to?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  customer_id?: string | undefined;
  pos_customer_id?: string | undefined;
}

interface SaleParties {
  type: "retail" | "wholesale";
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
}

/**
 * The values by which a sale can be found (contract 4.2 and 4.3): `customer_id` finds retail sales only;
 * `pos_customer_id` both kinds, wholesale also by the invoice.
 */
export function saleTerms(record: Record<string, unknown>): Term[] {
  const { type, customer, invoice } = record as unknown as SaleParties;
  const terms: Term[] = [];
  const add = (field: string, value: string | null | undefined) => value && terms.push({ field, value });
  if (type === "retail") add("customer_id", customer?.customer_id);
  add("pos_customer_id", customer?.pos_customer_id);
  if (invoice?.pos_customer_id !== customer?.pos_customer_id) add("pos_customer_id", invoice?.pos_customer_id);
  return terms;
}

/** The customer of a sale, by whom its list is also read. */
export function saleCustomer(record: Record<string, unknown>): string | null | undefined {
  return (record as unknown as SaleParties).customer?.customer_id;
}

/** The CRB-local day of a sale, yyyy-MM-dd (contract 4.3). */
export function saleDay(record: Record<string, unknown>): string {
  return (record.local_date as string).slice(0, 10);
}

/**
 * Begins to read a page of a CRB's sales, by any combination of filters: newest update day first, or newest sale day first
 * where a sale day is given (contract 4.1).
 */
export async function listSales(table: Table, crbId: string, query: SalesQuery): Promise<OpenPage> {
  const { offset, limit, customer_id, pos_customer_id } = query;
  const list = recordList(crbId, "sale");
  const updated = { from: query.last_updated_from, to: query.last_updated_to };
  const sold = { from: query.start_date, to: query.end_date };
  const bySaleDay = Boolean(sold.from ?? sold.to);
  const order = bySaleDay ? "saleRank" : "rank";

  const terms: Term[] = [];
  if (customer_id) terms.push({ field: "customer_id", value: customer_id });
  if (pos_customer_id) terms.push({ field: "pos_customer_id", value: pos_customer_id });
  if (terms.length > 0) {
    const customerId = async () => customer_id ?? customerOf(table, crbId, pos_customer_id ?? "");
    const windows = { rank: updated, saleRank: sold };
    return openMatches(table, list, terms, { offset, limit, order, windows, customerId }, saleTerms);
  }
  const byUpdate = Boolean(updated.from ?? updated.to);
  if (bySaleDay && byUpdate) return openBothWindows(table, list, query, updated, sold);
  return openPage(table, list, { offset, limit, ...(bySaleDay ? sold : updated) }, { order });
}

/** The id that a customer of the POS has with us, which follows from the POS id. */
async function customerOf(table: Table, crbId: string, posCustomerId: string): Promise<string | undefined> {
  const connection = (await readCrb(table, crbId))?.connection;
  return connection ? recordId(crbId, "customer", connection.posType, posCustomerId) : undefined;
}

/**
 * Sales within a window of update days and one of sale days, newest sale day first. The places of all sales in the
 * narrower window are read, and those kept that lie in the other too.
 */
async function openBothWindows(
  table: Table,
  list: RankedList,
  page: { offset: number; limit: number },
  updated: DayWindow,
  sold: DayWindow,
): Promise<OpenPage> {
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error(`${list.pk} is not kept by sale day`);
  const [byUpdate, bySale] = await Promise.all([
    loadDirectories(table, rank, updated),
    loadDirectories(table, saleRank, sold),
  ]);
  const [updateDays, saleDays] = [daysWithin(byUpdate, updated), daysWithin(bySale, sold)];
  const narrower =
    recordsOf(updateDays) <= recordsOf(saleDays)
      ? { order: rank, days: updateDays, other: tableIndexes.bySaleRank, window: sold }
      : { order: saleRank, days: saleDays, other: tableIndexes.byRank, window: updated };
  return {
    state: joinStates(stateOf(rank, byUpdate), stateOf(saleRank, bySale)),
    read: () => readWindow(table, list, page, narrower),
  };
}

/** Reads the sales of some days of one order that lie within a window of the other, newest sale day first. */
async function readWindow(
  table: Table,
  list: RankedList,
  page: { offset: number; limit: number },
  narrower: { order: RankOrder; days: [string, Day][]; other: "rank" | "saleRank"; window: DayWindow },
): Promise<Page> {
  const { order, days, other, window } = narrower;
  const places = (await Promise.all(days.map(([day]) => placesOfDay(table, list, order, day)))).flat();
  const matches = places
    .filter((place) => isWithin(place[other].slice(0, 10), window))
    .sort((a, b) => (a.saleRank < b.saleRank ? 1 : -1));
  const ids = matches.slice(page.offset, page.offset + page.limit).map(({ id }) => id);
  const items = await table.batchGet(
    ids.map((id) => recordKey(list, id)),
    { attributes: ["body"] },
  );
  const bodies = new Map([...items.values()].map(({ sk, body }) => [sk, body as string]));
  return { total: matches.length, records: ids.flatMap((id) => bodies.get(id) ?? []) };
}

function recordsOf(days: [string, Day][]): number {
  return days.reduce((sum, [, counts]) => sum + liveRecords(counts), 0);
}

/** Where the records of one day of an order stand in both orders. */
async function placesOfDay(table: Table, list: RankedList, order: RankOrder, day: string) {
  const items = await table.queryRaw({
    IndexName: order.index,
    KeyConditionExpression: "pk = :pk AND #order BETWEEN :first AND :last",
    ProjectionExpression: "sk, #rank, saleRank",
    ExpressionAttributeNames: { "#order": tableIndexes[order.index], "#rank": "rank" },
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":first": { S: rankOf(day, 0) },
      ":last": { S: rankOf(day, lastSlot) },
    },
  });
  return items.map(({ sk, rank, saleRank }) => ({
    id: sk?.S ?? "",
    rank: rank?.S ?? "",
    saleRank: saleRank?.S ?? "",
  }));
}
