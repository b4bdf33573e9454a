import type { Table } from "./client.ts";
import { embedProducts, openExpanded } from "./embedProducts.ts";
import type { IndexedFieldOf } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { streamEntries } from "./orderedList/indexEntries.ts";
import { type OpenPage, openPage, readRecord } from "./orderedList/readPage.ts";

/** Query parameters of inventory lists (docs/spec.md#filters). */
export interface InventoryQuery {
  offset: number;
  limit: number;
  last_updated_from?: string | undefined;
  last_updated_to?: string | undefined;
  expand?: boolean | undefined;
}

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

const present: IndexedFieldOf<"inventory"> = { field: "present", value: "yes" };

/** Whether there is stock, in total or at any location: a negative quantity at another location may make the total 0. */
export function extractInventoryIndexedFields({
  total_quantity,
  location_data = [],
}: Inventory): IndexedFieldOf<"inventory">[] {
  const isPresent = (total_quantity as number) > 0 || location_data.some(({ quantity }) => quantity > 0);
  return isPresent ? [present] : [];
}

/** Returns the inventory records with stock in parts: their ids and positions. */
export async function* streamInventoryInStock(
  table: Table,
  crbId: string,
): AsyncGenerator<{ id: string; rank: string }[]> {
  for await (const entries of streamEntries(table, recordList(crbId, "inventory"), present)) {
    yield entries.map(([id, { rank }]) => ({ id, rank }));
  }
}

/** An inventory record; only the field that lists its locations is typed. */
export type Inventory = Record<string, unknown> & {
  location_data?: { location_id: string; quantity: number }[];
};

/**
 * Adds the locations that only the stored version names, with quantity 0: by-location records are never deleted. The writer
 * uses it as its option `merge`.
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
