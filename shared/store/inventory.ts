import type * as z from "zod";
import type { inventoryQuery } from "../api/parameters.ts";
import type { Table } from "./client.ts";
import { damagedText } from "./damagedRecords.ts";
import type { IndexedFieldOf } from "./keys/indexEntries.ts";
import { stockedLocationKey } from "./keys/inventory.ts";
import { recordKey, recordList } from "./keys/orderedLists.ts";
import { loadDayIndexes } from "./orderedList/dayIndex.ts";
import { streamEntries } from "./orderedList/indexEntries.ts";
import { createListState, joinStates, type OpenPage, openPage, readRecord } from "./orderedList/readPage.ts";

/** Query parameters of inventory lists (docs/spec.md#filters). */
export type InventoryQuery = z.output<typeof inventoryQuery>;

export function listInventory(table: Table, crbId: string, query: InventoryQuery): Promise<OpenPage> {
  const { offset, limit, last_updated_from: from, last_updated_to: to, expand } = query;
  const page = openPage(table, recordList(crbId, "inventory"), { offset, limit, from, to });
  return expand ? openExpanded(table, crbId, page) : page;
}

/** Reads one inventory record as JSON text; undefined if it does not exist. */
export async function readInventory(
  table: Table,
  crbId: string,
  id: string,
  options: { expand?: boolean | undefined },
): Promise<string | undefined> {
  const record = await readRecord(table, recordList(crbId, "inventory"), id);
  return record && options.expand ? (await embedProducts(table, crbId, [record]))[0] : record;
}

/** Embeds products in a page of inventory records. The state of the page then includes that of the product list. */
export async function openExpanded(table: Table, crbId: string, page: Promise<OpenPage>): Promise<OpenPage> {
  const products = recordList(crbId, "product").orders.rank;
  // These day indexes determine no page, and the products are also read eventually consistently.
  const productDays = loadDayIndexes(table, products, {}, { consistent: false });
  const [{ state, read }, dayIndexes] = await Promise.all([page, productDays]);
  return {
    state: joinStates(state, createListState(products, dayIndexes)),
    read: async () => {
      const { total, records } = await read();
      return { total, records: await embedProducts(table, crbId, records) };
    },
  };
}

/**
 * Embeds the product of each record (a JSON text) as `product` (docs/spec.md#products-and-inventory): null if it is
 * unknown or damaged. Damaged records stay as they are.
 */
export async function embedProducts(table: Table, crbId: string, records: readonly string[]): Promise<string[]> {
  const list = recordList(crbId, "product");
  const ids = records.map(productIdOf);
  const keys = [...new Set(ids)].flatMap((id) => (id ? [recordKey(list, id)] : []));
  const items = await table.batchGetRaw(keys, { attributes: ["body"] });
  const readable = items.filter(({ body }) => body?.S !== damagedText);
  const products = new Map(readable.map((item) => [item.sk?.S, item.body?.S]));
  return records.map((record, i) =>
    // JSON may have white space behind the last brace.
    record === damagedText
      ? record
      : `${record.slice(0, record.lastIndexOf("}"))},"product":${products.get(ids[i]) ?? "null"}}`,
  );
}

/**
 * Finds the product id in the text of a record, because parsing takes longer than reading. Only ids and the POS type
 * precede this field, so no value from the POS can be mistaken for it.
 */
const productIdOf = (record: string): string | undefined =>
  /"product_id"\s*:\s*"([0-9a-f-]{36})"/.exec(record.slice(0, 300))?.[1];

const present: IndexedFieldOf<"inventory"> = { field: "present", value: "yes" };

/** Whether there is stock, in total or at any location: a negative quantity at another location may make the total 0. */
export function extractInventoryIndexedFields(record: Inventory): IndexedFieldOf<"inventory">[] {
  const { total_quantity, location_data = [] } = record;
  const isPresent = (total_quantity as number) > 0 || location_data.some(({ quantity }) => quantity > 0);
  return isPresent ? [present] : [];
}

/** Returns the inventory records with stock in parts: their ids and places. */
export const streamInventoryInStock = (table: Table, crbId: string) =>
  streamEntries(table, recordList(crbId, "inventory"), present);

/** An inventory record; only the field that lists its locations is typed. */
export type Inventory = Record<string, unknown> & { location_data?: { location_id: string; quantity: number }[] };

/** Adds the locations that only the stored version names, with quantity 0: by-location records are never deleted. */
export function keepLocations(content: Inventory, stored: Inventory): Inventory {
  const named = content.location_data ?? [];
  const ids = new Set(named.map(({ location_id }) => location_id));
  const left = stored.location_data?.filter(({ location_id }) => !ids.has(location_id)) ?? [];
  return left.length === 0
    ? content
    : { ...content, location_data: [...named, ...left.map((entry) => ({ ...entry, quantity: 0 }))] };
}

/** Reads the ids of the locations that have an inventory list, or are about to get one. */
export async function stockedLocations(table: Table, crbId: string): Promise<Set<string>> {
  const items = await table.queryPartition(stockedLocationKey(crbId, "").pk, { consistent: true });
  return new Set(items.map(({ sk }) => sk));
}

/** Records that a location has inventory, before its list gets its first record: others get no daily snapshots. */
export const recordStockedLocation = (table: Table, crbId: string, locationId: string): Promise<void> =>
  table.put({ ...stockedLocationKey(crbId, locationId) });
