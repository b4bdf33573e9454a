import { listLocationInventory } from "../../../shared/domain/inventory/listLocationInventory.ts";
import { sensitiveHasher } from "../../../shared/platform/crypto/sensitiveHasher.ts";
import type { Item, Table } from "../../../shared/store/client.ts";
import { searchCustomers } from "../../../shared/store/customers.ts";
import { locationInventoryList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { DayWindow } from "../../../shared/store/orderedList/dayIndex.ts";
import { isDayInWindow } from "../../../shared/store/orderedList/planPage.ts";
import { type Page, readPage } from "../../../shared/store/orderedList/readPage.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { listSales } from "../../../shared/store/sales.ts";
import { familyName, places } from "./shop.ts";
import type { Stored } from "./stored.ts";

type Order = "rank" | "saleRank";

/** The simulated kinds of records. */
export const simulatedKinds = ["location", "customer", "inventory", "sale"] as const;
export type SimulatedKind = (typeof simulatedKinds)[number];

/** Runs may be due in every round, even a minute after the last one. */
export const everyMinute = { location: 60, product: 60, customer: 60, inventory: 60, sale: 60 };

/** Small, so that a few dozen records reach every boundary of segments. */
export const segmentSize = 8;

/** A query of callers, and the records that it must return. */
export interface Reading {
  name: string;
  /** the partition of the records */
  pk: string;
  order: Order;
  windows: Partial<Record<Order, DayWindow>>;
  /** whether the filters match a record's content; the windows select its days */
  wants: (record: Record<string, unknown>) => boolean;
  page(table: Table, page: { offset: number; limit: number }): Promise<Page>;
  /** All records of the partition match, so a page's total is their number at some time during the request. */
  countsAll?: true;
  /** Index entries find the records, which are read by ids: as the table's nodes show them, up to a second late. */
  readsById?: true;
  /** Erased customers are no longer found, so the following ones move to lower offsets. */
  losesErased?: true;
  /** The records are in the order of their ids, unless all of them fit the first page (docs/spec.md#customer-search). */
  isById?: true;
}

/** All possible locations of a business, by their ids in the service. */
export function locationIds(crbId: string, posType: string): string[] {
  return places.map((place) => recordId(crbId, "location", posType, place));
}

/** The locations that callers know. */
export function knownLocations(stored: Stored, crbId: string): string[] {
  return (stored.get(recordList(crbId, "location").pk) ?? []).map(({ sk }) => sk);
}

/**
 * All queries of a business's records by some of their values.
 *
 * @param locations whose inventory is read
 * @param window of update days and of sale days
 * @param number of the customer whose sales, and of the family whose members, are searched for
 */
export function readingsOf(
  crbId: string,
  posType: string,
  locations: readonly string[],
  window: DayWindow,
  number: number,
): Reading[] {
  const customer_id = recordId(crbId, "customer", posType, String(number));
  const last_name = sensitiveHasher(crbId).name(familyName(number)) ?? "";
  const isOfCustomer = ({ customer }: Record<string, unknown>) =>
    (customer as { customer_id: string | null }).customer_id === customer_id;
  const list = (kind: SimulatedKind, order: Order, days: DayWindow): Reading => ({
    name: `${kind}s by ${order} ${JSON.stringify(days)}`,
    pk: recordList(crbId, kind).pk,
    order,
    windows: { [order]: days },
    wants: () => true,
    ...(!days.from && !days.to && { countsAll: true }),
    page: (table, page) => readPage(table, recordList(crbId, kind, segmentSize), { ...page, ...days }, { order }),
  });
  const sales = (updated: DayWindow, sold: DayWindow, customer?: string): Reading => ({
    name: `sales ${JSON.stringify({ updated, sold, customer })}`,
    pk: recordList(crbId, "sale").pk,
    order: sold.from || sold.to ? "saleRank" : "rank",
    windows: { rank: updated, saleRank: sold },
    wants: customer ? isOfCustomer : () => true,
    readsById: true,
    page: async (table, page) => {
      const days = { last_updated_from: updated.from, last_updated_to: updated.to };
      const sale = { start_date: sold.from, end_date: sold.to, customer_id: customer };
      return (await listSales(table, crbId, { ...page, ...days, ...sale }, { segmentSize })).read();
    },
  });
  const orders = [
    ["location", "rank"] as const,
    ["customer", "rank"] as const,
    ["inventory", "rank"] as const,
    ["sale", "rank"] as const,
    ["sale", "saleRank"] as const,
  ];
  return [
    ...orders.flatMap(([kind, order]) => [list(kind, order, {}), list(kind, order, window)]),
    ...locations.map(
      (id): Reading => ({
        name: `inventory of ${id}`,
        pk: locationInventoryList(crbId, id).pk,
        order: "rank",
        windows: {},
        wants: () => true,
        countsAll: true,
        page: async (table, page) => (await listLocationInventory(table, crbId, id, page, table.clock)).read(),
      }),
    ),
    sales(window, window),
    sales({}, {}, customer_id),
    sales(window, {}, customer_id),
    // Some records from before New Year have not changed since.
    sales({ from: "2027-01-01" }, window, customer_id),
    sales({}, window, customer_id),
    sales(window, window, customer_id),
    {
      name: `customers of the family ${number}`,
      pk: recordList(crbId, "customer").pk,
      order: "rank",
      windows: {},
      wants: (customer) => customer.last_name === last_name,
      page: async (table, page) => (await searchCustomers(table, crbId, { last_name }, page)).read(),
      readsById: true,
      losesErased: true,
      isById: true,
    },
  ];
}

/** The stored records that a reading must return, newest first. */
export function expectedOf({ pk, order, windows, wants }: Reading, stored: Stored): Item[] {
  const day = (item: Item, name: string) => String(item[name]).slice(0, 10);
  return (stored.get(pk) ?? [])
    .filter((item) => Object.entries(windows).every(([name, window]) => isDayInWindow(day(item, name), window)))
    .filter(({ body }) => wants(JSON.parse(body as string)))
    .toSorted((a, b) => ((a[order] as string) < (b[order] as string) ? 1 : -1));
}

/** Differences between a page of a reading and the records, while no worker writes. */
export async function faultsOf(
  reading: Reading,
  table: Table,
  stored: Stored,
  page: { offset: number; limit: number },
): Promise<string[]> {
  const items = expectedOf(reading, stored);
  const fits = page.offset === 0 && items.length <= page.limit;
  const sorted = reading.isById && !fits ? items.toSorted((a, b) => (a.sk < b.sk ? -1 : 1)) : items;
  const expected = sorted.map(({ body }) => body as string);
  const { total, records } = await reading.page(table, page);
  const wanted = expected.slice(page.offset, page.offset + page.limit);
  return [
    ...(total === expected.length ? [] : [`${reading.name}: a total of ${total} instead of ${expected.length}`]),
    ...(String(records) === String(wanted) ? [] : [`${reading.name}: wrong records from ${page.offset} on`]),
  ];
}
