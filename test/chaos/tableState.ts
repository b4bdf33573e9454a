import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { recordKinds } from "../../shared/kinds.ts";
import type { Item, Table } from "../../shared/table/client.ts";
import {
  customerRankOf,
  entryPrefix,
  locationInventoryList,
  type RankedList,
  rankNumber,
  recordIdOfEntry,
  recordList,
} from "../../shared/table/keys.ts";
import { readPage } from "../../shared/table/rankedList/readPage.ts";
import { saleCustomer } from "../../shared/table/sales.ts";

/** All items of a table. */
export async function scan(table: Table): Promise<Item[]> {
  const items: Item[] = [];
  let from: Record<string, never> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item) as Item));
    from = page.LastEvaluatedKey as typeof from;
  } while (from);
  return items;
}

/**
 * What replication has made of a CRB, as it is whenever the same came from the POS: by name of the item, without
 * anything that depends on when and in how many pieces it came.
 *
 * Missing from it: leases and turns, bitmaps and directories (see `faultsOfLists`), and closing states of inventory,
 * which tell what was known at the end of a day.
 */
export function contentOf(items: readonly Item[], crbId: string): Map<string, string> {
  const content = new Map<string, string>();
  for (const item of items) {
    const { pk, sk } = item;
    if (pk.startsWith(entryPrefix)) content.set(`${pk} ${sk}`, "");
    else if (pk === `REPLICATION#${crbId}` && sk.startsWith("REJECTED#")) {
      const records = item.records as Record<string, string>[];
      const named = records.map(({ at, ...record }) => JSON.stringify(record)).sort();
      if (named.length > 0) content.set(`${pk} ${sk}`, named.join());
    } else if (pk === `CRB#${crbId}` && sk === "CRB") {
      const { pos_configs } = item.record as { pos_configs: { name: string; status: string }[] };
      content.set(pk, pos_configs.map(({ name, status }) => `${name}: ${status}`).join());
    } else if (listOf(pk, crbId)) {
      const record = comparable(JSON.parse(item.body as string));
      if (record) content.set(`${pk} ${sk}`, JSON.stringify(record));
    }
  }
  return content;
}

/**
 * A record without what the service itself notes of it. Of inventory that is used up at a location one table may know,
 * while the other never saw it there: undefined.
 */
function comparable(record: Record<string, unknown>): Record<string, unknown> | undefined {
  if (record.quantity === 0) return undefined;
  const fields = Object.entries(record).filter(([name]) => !/^svc_(created|updated)_date/.test(name));
  const places = record.location_data as { location_id: string; quantity: number }[] | undefined;
  const left = places
    ?.filter(({ quantity }) => quantity !== 0)
    .sort((a, b) => (a.location_id < b.location_id ? -1 : 1));
  return { ...Object.fromEntries(fields), ...(left && { location_data: left }) };
}

/** In what two contents differ, by names of items; nothing when they are equal. */
export function differences(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...found.keys(), ...expected.keys()])].sort();
  return names
    .filter((name) => found.get(name) !== expected.get(name))
    .map((name) => `${name}: ${difference(found.get(name), expected.get(name))}`);
}

/** Of two records the fields that differ. */
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
 * Holds lists against their records: totals and order of pages (so directories and bitmaps of empty slots), and the
 * places that entries and other orders keep of each record.
 */
export async function faultsOfLists(table: Table, items: readonly Item[], crbId: string): Promise<string[]> {
  const faults: string[] = [];
  const lists = new Map<string, Item[]>();
  const ranks = new Map<string, string>();
  for (const item of items) {
    if (!listOf(item.pk, crbId)) continue;
    lists.set(item.pk, [...(lists.get(item.pk) ?? []), item]);
    if (recordKinds.some((kind) => recordList(crbId, kind).pk === item.pk)) ranks.set(item.sk, item.rank as string);
    const { customerRank, rank, body } = item as Item & { customerRank?: string; rank: string; body: string };
    if (customerRank && customerRank !== customerRankOf(saleCustomer(JSON.parse(body)) ?? "", rank)) {
      faults.push(`${item.pk} ${item.sk}: ${customerRank} instead of ${rank}`);
    }
  }
  for (const [pk, records] of lists) {
    const list = listOf(pk, crbId) as RankedList;
    for (const order of Object.keys(list.orders) as (keyof RankedList["orders"])[]) {
      const expected = records.toSorted((a, b) => ((a[order] as string) < (b[order] as string) ? 1 : -1));
      const page = await readPage(table, list, { offset: 0, limit: 10_000 }, { order, attribute: "sk" });
      if (page.total !== records.length) faults.push(`${pk}: ${records.length} records, counted ${page.total}`);
      if (String(page.records) !== String(expected.map(({ sk }) => sk))) faults.push(`${pk}: pages by ${order}`);
    }
  }
  for (const { pk, sk, at } of items) {
    if (!pk.startsWith(entryPrefix)) continue;
    const rank = ranks.get(recordIdOfEntry(sk));
    if (rank === undefined || at !== rankNumber(rank)) faults.push(`${pk} ${sk}: leads to ${at} instead of ${rank}`);
  }
  return faults;
}

/** The list of replicated records that a partition holds. */
function listOf(pk: string, crbId: string): RankedList | undefined {
  const kind = recordKinds.find((one) => recordList(crbId, one).pk === pk);
  if (kind) return recordList(crbId, kind);
  const [, location] = /#LOCATION#(.*)#INVENTORY$/.exec(pk) ?? [];
  const list = location === undefined ? undefined : locationInventoryList(crbId, location);
  return list?.pk === pk ? list : undefined;
}
