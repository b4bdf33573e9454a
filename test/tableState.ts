import { paginateScan } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { recordKinds } from "../shared/api/kinds.ts";
import type { Item, RawItem, Table } from "../shared/store/client.ts";
import { indexingOptions } from "../shared/store/indexingOptions.ts";
import { entryKey, entryPrefix } from "../shared/store/keys/indexEntries.ts";
import { locationInventoryList, type OrderedList, recordList } from "../shared/store/keys/orderedLists.ts";
import { formatCustomerPosition } from "../shared/store/keys/positions.ts";
import { toEntryAttributes } from "../shared/store/orderedList/indexEntries.ts";
import { readPage } from "../shared/store/orderedList/readPage.ts";
import { withRawText } from "../shared/store/recordText.ts";
import { saleCustomer } from "../shared/store/sales.ts";

/** All items of a table, with the texts of records decompressed. */
export async function scan(table: Table): Promise<Item[]> {
  return (await scanRaw(table)).map((item) => unmarshall(withRawText(item)) as Item);
}

/** All items of a table, as they are stored. */
export async function scanRaw({ client, name }: Table): Promise<RawItem[]> {
  const items: RawItem[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    items.push(...Items);
  }
  return items;
}

/** The differences between two contents, by name; empty if they are equal. */
export function differences(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...found.keys(), ...expected.keys()])].sort();
  return names
    .filter((name) => found.get(name) !== expected.get(name))
    .map((name) => `${name}: ${difference(found.get(name), expected.get(name))}`);
}

/** The fields in which two records differ. */
function difference(found: string | undefined, expected: string | undefined): string {
  if (!found?.startsWith("{") || !expected?.startsWith("{"))
    return `${found ?? "nothing"} instead of ${expected ?? "nothing"}`;
  const [one, other]: Record<string, unknown>[] = [JSON.parse(found), JSON.parse(expected)];
  const fields = Object.keys({ ...one, ...other });
  return fields
    .map((field) => [field, JSON.stringify(one?.[field]), JSON.stringify(other?.[field])])
    .filter(([, a, b]) => a !== b)
    .map(([field, a, b]) => `${field} is ${a} instead of ${b}`)
    .join("; ");
}

/**
 * Compares lists with their records: totals and page order (day indexes, bitmaps of empty sequence numbers), and the indexes.
 */
export async function faultsOfLists(table: Table, items: readonly Item[], crbId: string): Promise<string[]> {
  const faults: string[] = [];
  const lists = Map.groupBy(items, ({ pk }) => pk);
  for (const [pk, records] of lists) {
    const list = listOf(pk, crbId);
    if (list) faults.push(...(await faultsOfPages(table, list, records)));
  }
  return [...faults, ...faultsOfEntries(items, crbId)];
}

/** Mismatches between a list's pages and totals, and its records. */
async function faultsOfPages(table: Table, list: OrderedList, records: readonly Item[]): Promise<string[]> {
  const faults: string[] = [];
  for (const order of Object.keys(list.orders) as (keyof OrderedList["orders"])[]) {
    const expected = records.toSorted((a, b) => ((a[order] as string) < (b[order] as string) ? 1 : -1));
    const page = await readPage(table, list, { offset: 0, limit: 10_000 }, { order, attribute: "sk" });
    if (page.total !== records.length) faults.push(`${list.pk}: ${records.length} records, counted ${page.total}`);
    if (String(page.records) !== String(expected.map(({ sk }) => sk))) faults.push(`${list.pk}: pages by ${order}`);
  }
  return faults;
}

/** Index entries that are missing, belong to no record, or have a wrong position. */
export function faultsOfEntries(items: readonly Item[], crbId: string): string[] {
  const { found, expected } = readEntries(items, crbId);
  return differences(found, expected);
}

/** The index entries that are stored, and those that the records should have. */
function readEntries(items: readonly Item[], crbId: string): Record<"found" | "expected", Map<string, string>> {
  const expected = new Map<string, string>();
  const found = new Map<string, string>();
  const placesOf = (places: Record<string, unknown>) => `at ${places.at}`;
  for (const item of items) {
    const { pk, sk, rank, customerRank, body } = item as Item & Record<"rank" | "body", string> & SalePlaces;
    if (pk.startsWith(entryPrefix)) found.set(`${pk} ${sk}`, placesOf(item));
    const kind = recordKinds.find((one) => recordList(crbId, one).pk === pk);
    if (!kind) continue;
    const record = JSON.parse(body);
    const list = recordList(crbId, kind);
    for (const term of indexingOptions[kind].extractIndexedFields?.(record) ?? []) {
      const key = entryKey(list, term, sk);
      expected.set(`${key.pk} ${key.sk}`, placesOf(toEntryAttributes(list, { rank })));
    }
    const customer = kind === "sale" && saleCustomer(record);
    found.set(`${pk} ${sk}: place by customer`, String(customerRank));
    expected.set(
      `${pk} ${sk}: place by customer`,
      String(customer ? formatCustomerPosition(customer, rank) : undefined),
    );
  }
  return { found, expected };
}

interface SalePlaces {
  saleRank?: string;
  customerRank?: string;
}

/** The list of replicated records that a partition holds. */
function listOf(pk: string, crbId: string): OrderedList | undefined {
  const kind = recordKinds.find((one) => recordList(crbId, one).pk === pk);
  if (kind) return recordList(crbId, kind);
  const [, location] = /#LOCATION#(.*)#INVENTORY$/.exec(pk) ?? [];
  const list = location === undefined ? undefined : locationInventoryList(crbId, location);
  return list?.pk === pk ? list : undefined;
}
