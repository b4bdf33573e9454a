import type { Table } from "./client.ts";
import { embedProducts, openExpanded } from "./embedProducts.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { streamEntries } from "./orderedList/indexEntries.ts";
import { type OpenPage, openPage } from "./orderedList/readPage.ts";
import { readRecord } from "./orderedList/readRecord.ts";

/** Parameters of a list of inventory (docs/spec.md#filters). */
export interface InventoryQuery {
  offset: number;
  limit: number;
  last_updated_from?: string | undefined;
  last_updated_to?: string | undefined;
  expand?: boolean | undefined;
}

/** Begins to read a page of a CRB's inventory. */
export function listInventory(table: Table, crbId: string, query: InventoryQuery): Promise<OpenPage> {
  const { offset, limit, last_updated_from: from, last_updated_to: to, expand } = query;
  const page = openPage(table, recordList(crbId, "inventory"), { offset, limit, from, to });
  return expand ? openExpanded(table, crbId, page) : page;
}

/** Reads one inventory record, as JSON text; undefined when there is none. */
export async function readInventory(
  table: Table,
  crbId: string,
  id: string,
  options: { expand?: boolean | undefined },
): Promise<string | undefined> {
  const record = await readRecord(table, recordList(crbId, "inventory"), id);
  return record && options.expand ? (await embedProducts(table, crbId, [record]))[0] : record;
}

const present: IndexedField = { field: "present", value: "yes" };

/**
 * The values by which an inventory record can be found: whether there is any of it, in all or at a location. The total may
 * be 0 where a POS takes what one room owes from what another one has.
 */
export function extractInventoryIndexedFields({ total_quantity, location_data = [] }: Inventory): IndexedField[] {
  const isPresent = (total_quantity as number) > 0 || location_data.some(({ quantity }) => quantity > 0);
  return isPresent ? [present] : [];
}

/**
 * The inventory records with a quantity above 0, part by part: their ids, and the numbers of their ranks (`rankNumber`).
 */
export async function* streamInventoryInStock(
  table: Table,
  crbId: string,
): AsyncGenerator<{ id: string; rank: number }[]> {
  for await (const entries of streamEntries(table, recordList(crbId, "inventory"), present)) {
    yield entries.map(([id, { rank = 0 }]) => ({ id, rank }));
  }
}

/** What an inventory record tells of its locations. */
export type Inventory = Record<string, unknown> & {
  location_data?: { location_id: string; quantity: number }[];
};

/**
 * Keeps the locations that an inventory record once named and names no longer, at quantity 0: nothing is deleted, and
 * the inventory of those locations must learn of it (the `merge` of its writer).
 */
export function keepLocations(content: Inventory, stored: Inventory): Inventory {
  const named = content.location_data ?? [];
  const left = (stored.location_data ?? []).filter((old) =>
    named.every((entry) => entry.location_id !== old.location_id),
  );
  return left.length === 0
    ? content
    : { ...content, location_data: [...named, ...left.map((entry) => ({ ...entry, quantity: 0 }))] };
}
