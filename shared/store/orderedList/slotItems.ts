import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Item, RawItem, Table } from "../client.ts";
import { chapterKey, dayKey, type Key, lastChapterKey, parseRank, type RankOrder } from "../keys.ts";
import { StaleReadError } from "../retryOnConflict.ts";
import type { Day } from "./dayIndex.ts";
import { SlotSet } from "./slotSet.ts";

/** A transaction changed a day's sequence numbers between the reads of its counts and of its bitmaps. */
class MixedCountsError extends StaleReadError {
  override readonly name = "MixedCountsError";
}

/** What is known of the empty slots of a day. */
export interface DaySlots {
  /** Empty slots by chapter; a chapter without any is absent. */
  empty: ReadonlyMap<number, number>;
  /** Which they are, of the chapters that were asked for. */
  bitmaps: ReadonlyMap<number, SlotSet>;
}

/** A day of a directory, and of which of its chapters the empty slots are wanted. */
export interface WantedDay {
  day: string;
  counts: Day;
  chapters: ReadonlySet<number>;
  /** Empty slots by chapter, where they are known already. */
  empty?: ReadonlyMap<number, number> | undefined;
}

/** How items of empty slots are read. */
interface SlotReading {
  consistent: boolean;
  /** Days (yyyy-MM-dd, both inclusive) all of which is wanted: one query reads many small items for less than each alone. */
  whole?: { from: string; to: string } | undefined;
}

/** Slots of a chapter that were handed out; fewer than the chapter's size only in a day's last chapter. */
export function handedOut({ next }: Day, chapter: number, chapterSize: number): number {
  return Math.min(chapterSize, next - chapter * chapterSize);
}

/** Whether the directory's counts tell how many slots of each chapter are empty, without the day's item. */
export function isTold({ next, live }: Day, chapterSize: number): boolean {
  return live === next || next <= chapterSize;
}

/** The same, where they tell it. */
export function toldEmpty({ next, live }: Day): ReadonlyMap<number, number> {
  return new Map(live === next ? [] : [[0, next - live]]);
}

/** Which chapter a rank's slot belongs to, and which of the chapter's slots it is. */
export function placeOf(rank: string, chapterSize: number): { day: string; chapter: number; slot: number } {
  const { day, slot } = parseRank(rank);
  return { day, chapter: Math.floor(slot / chapterSize), slot: slot % chapterSize };
}

/** The chapters in which ranks stand, by day. */
export function chaptersByDay(ranks: Iterable<string>, chapterSize: number): Map<string, Set<number>> {
  const chapters = new Map<string, Set<number>>();
  for (const rank of ranks) {
    const { day, chapter } = placeOf(rank, chapterSize);
    chapters.set(day, (chapters.get(day) ?? new Set()).add(chapter));
  }
  return chapters;
}

/** Whether a record stands at a rank, by what was loaded of its day and chapter. */
export function isTaken(rank: string, slots: ReadonlyMap<string, DaySlots>, chapterSize: number): boolean {
  const { day, chapter, slot } = placeOf(rank, chapterSize);
  const ofDay = slots.get(day);
  // A chapter all of whose slots are empty has no bitmap any more.
  if (!ofDay || ofDay.empty.get(chapter) === chapterSize) return false;
  return !ofDay.bitmaps.get(chapter)?.has(slot);
}

/**
 * Reads what is known of the empty slots of days, in one round trip.
 *
 * @returns by day
 * @throws StaleReadError when it does not fit the directory's counts: somebody writes
 */
export async function loadSlots(
  table: Table,
  order: RankOrder,
  wanted: readonly WantedDay[],
  options: SlotReading,
): Promise<Map<string, DaySlots>> {
  const { chapterSize } = order;
  const keys = wanted.flatMap(({ day, counts, chapters, empty }): Key[] => [
    ...(isTold(counts, chapterSize) || empty ? [] : [dayKey(order, day)]),
    ...(counts.live === counts.next ? [] : [...chapters].map((chapter) => chapterKey(order, day, chapter))),
  ]);
  const items = new Map((await readSlotItems(table, order, keys, options)).map((item) => [item.sk?.S, item]));
  return new Map(
    wanted.map(({ day, counts, chapters, empty: known }) => {
      const told = isTold(counts, chapterSize) ? toldEmpty(counts) : known;
      const empty = told ?? emptyByChapter(items.get(dayKey(order, day).sk));
      const bitmaps = new Map(
        [...chapters].map((chapter) => [chapter, bitmapOf(items.get(chapterKey(order, day, chapter).sk), chapterSize)]),
      );
      // Empty slots only ever grow in number, in a day as in a chapter, so that equal counts mean an equal state.
      const sum = [...empty.values()].reduce((total, count) => total + count, 0);
      const fits =
        sum === counts.next - counts.live &&
        [...bitmaps].every(([chapter, bitmap]) => {
          const count = empty.get(chapter) ?? 0;
          return bitmap.count() === count || count === chapterSize;
        });
      if (!fits) throw new MixedCountsError(day);
      return [day, { empty, bitmaps }] as const;
    }),
  );
}

async function readSlotItems(
  table: Table,
  order: RankOrder,
  keys: readonly Key[],
  { consistent, whole }: SlotReading,
): Promise<RawItem[]> {
  if (!whole) return table.batchGetRaw(keys, { consistent });
  const [from, to] = [dayKey(order, whole.from).sk, lastChapterKey(order, whole.to).sk];
  const others = keys.filter(({ sk }) => sk < from || sk > to);
  const query = table.queryRaw({
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": { S: order.slots }, ":from": { S: from }, ":to": { S: to } },
    ConsistentRead: consistent,
  });
  return (await Promise.all([query, table.batchGetRaw(others, { consistent })])).flat();
}

/** The item that tells how many slots of each chapter of a day are empty; see `isTold`. */
export function dayItem(order: RankOrder, day: string, { empty }: DaySlots): Item {
  return { ...dayKey(order, day), empty: deflateRawSync(JSON.stringify([...empty].flat())) };
}

/** The item that tells which slots of a chapter are empty. */
export function chapterItem(order: RankOrder, day: string, chapter: number, bitmap: SlotSet): Item {
  // Of a day with few records most bytes would be zeros behind the last bit.
  const length = bitmap.bytes.findLastIndex((byte) => byte !== 0) + 1;
  return { ...chapterKey(order, day, chapter), slots: bitmap.bytes.slice(0, length) };
}

/** The counts of an item that `dayItem` made. */
export function emptyByChapter(item: RawItem | undefined): Map<number, number> {
  if (!item?.empty?.B) return new Map();
  const numbers: number[] = JSON.parse(inflateRawSync(item.empty.B).toString());
  const empty = new Map<number, number>();
  for (let i = 0; i < numbers.length; i += 2) empty.set(numbers[i] as number, numbers[i + 1] as number);
  return empty;
}

function bitmapOf(item: RawItem | undefined, chapterSize: number): SlotSet {
  const bitmap = SlotSet.empty(chapterSize);
  if (item?.slots?.B) bitmap.bytes.set(item.slots.B);
  return bitmap;
}
