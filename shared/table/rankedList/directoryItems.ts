import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Item, RawItem, Table } from "../client.ts";
import { directoryKey, emptySlotsKey, type RankOrder } from "../keys.ts";
import { type Directory, packDays, unpackDays } from "./directory.ts";
import { SlotSet } from "./slotSet.ts";

/**
 * Reads an order's directories, one item a year.
 *
 * By a consistent read wherever pages are counted on them: two pages of one walk must never be counted on states that
 * go back in time, or an unchanged record could be missed between them.
 *
 * @param window days (yyyy-MM-dd) whose years are wanted; all when open
 */
export async function loadDirectories(
  table: Table,
  order: RankOrder,
  window: { from?: string | undefined; to?: string | undefined } = {},
  options: { consistent: boolean } = { consistent: true },
): Promise<Directory[]> {
  const items = await table.queryRaw({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: marshall({
      ":pk": order.directory,
      ":from": window.from?.slice(0, 4) ?? "0000",
      ":to": window.to?.slice(0, 4) ?? "9999",
    }),
    ConsistentRead: options.consistent,
  });
  return items.map(toDirectory);
}

/** Reads the directories of the given years; one that does not exist yet comes back empty, at version 0. */
export async function loadYears(table: Table, order: RankOrder, years: readonly string[]): Promise<Directory[]> {
  const keys = years.map((year) => directoryKey(order, year));
  const found = new Map((await table.batchGetRaw(keys, { consistent: true })).map((item) => [item.sk?.S, item]));
  return years.map((year) => {
    const item = found.get(year);
    return item ? toDirectory(item) : { year, version: 0, changedAt: 0, days: new Map() };
  });
}

interface DirectoryAttributes {
  version: number;
  changed?: number;
  days: Uint8Array | string;
}

function toDirectory(raw: RawItem): Directory {
  const { sk: year, version, changed = 0, days } = unmarshall(raw) as Item & DirectoryAttributes;
  return { year, version, changedAt: changed, days: unpackDays(year, days) };
}

/** The item of a directory. */
export function directoryItem(order: RankOrder, directory: Directory): Item {
  const { year, version, changedAt } = directory;
  return { ...directoryKey(order, year), version, changed: changedAt, days: packDays(directory) };
}

/** Names a chapter of a day. */
export interface ChapterOfDay {
  day: string;
  chapter: number;
}

export function chapterId({ day, chapter }: ChapterOfDay): string {
  return `${day}/${chapter}`;
}

/** Reads the bitmaps of chapters, by `chapterId`; a chapter without a bitmap is absent. */
export async function loadEmptySlots(
  table: Table,
  order: RankOrder,
  chapters: readonly ChapterOfDay[],
  options: { consistent: boolean },
): Promise<Map<string, SlotSet>> {
  const idBySortKey = new Map(
    chapters.map((chapter) => [emptySlotsKey(order, chapter.day, chapter.chapter).sk, chapterId(chapter)]),
  );
  const keys = chapters.map(({ day, chapter }) => emptySlotsKey(order, day, chapter));
  const sets = new Map<string, SlotSet>();
  for (const item of await table.batchGetRaw(keys, options)) {
    const id = idBySortKey.get(item.sk?.S ?? "");
    if (id && item.slots?.B) sets.set(id, new SlotSet(Uint8Array.from(item.slots.B)));
  }
  return sets;
}
