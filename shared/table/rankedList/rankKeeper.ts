import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type Table, unchanged } from "../client.ts";
import { directoryKey, emptySlotsKey, parseRank, type RankOrder, rankOf } from "../keys.ts";
import { StaleReadError } from "../untilCommitted.ts";
import { type Day, type Directory, liveRecords } from "./directory.ts";
import { type ChapterOfDay, chapterId, directoryItem, loadEmptySlots, loadYears } from "./directoryItems.ts";
import { SlotSet } from "./slotSet.ts";

/** Somebody changed the list while it was read: a record moved, or a bitmap does not fit its directory. Read again. */
export class StaleRankError extends StaleReadError {
  override readonly name = "StaleRankError";
}

/**
 * Hands out and takes back the places of one order of a list, and turns that into the writes of a transaction.
 *
 * What it read is kept from one transaction to the next, since the directory's version guards it: when a transaction
 * is refused, `forget` and load again.
 */
export class RankKeeper {
  readonly #table: Table;
  readonly #order: RankOrder;
  readonly #chapterSize: number;
  readonly #directories = new Map<string, Directory>();
  readonly #emptySlots = new Map<string, SlotSet>();
  readonly #changedYears = new Set<string>();
  readonly #changedChapters = new Map<string, ChapterOfDay>();

  constructor(table: Table, order: RankOrder, chapterSize: number) {
    this.#table = table;
    this.#order = order;
    this.#chapterSize = chapterSize;
  }

  /** The chapter that a rank's slot belongs to. */
  chapterOf(rank: string): ChapterOfDay {
    const { day, slot } = parseRank(rank);
    return { day, chapter: Math.floor(slot / this.#chapterSize) };
  }

  /**
   * Reads what `place` will need for these days and these ranks, unless it is known already.
   *
   * @throws StaleRankError when a rival changed it meanwhile
   */
  async load(days: Iterable<string>, leaving: Iterable<string>): Promise<void> {
    const chapters = new Map<string, ChapterOfDay>();
    const years = new Set<string>();
    for (const day of days) years.add(day.slice(0, 4));
    for (const rank of leaving) {
      const chapter = this.chapterOf(rank);
      years.add(chapter.day.slice(0, 4));
      if (!this.#emptySlots.has(chapterId(chapter))) chapters.set(chapterId(chapter), chapter);
    }
    const unknown = [...years].filter((year) => !this.#directories.has(year));
    const [directories, emptySlots] = await Promise.all([
      loadYears(this.#table, this.#order, unknown),
      loadEmptySlots(this.#table, this.#order, [...chapters.values()], { consistent: true }),
    ]);
    for (const directory of directories) this.#directories.set(directory.year, directory);
    for (const [id, { day, chapter }] of chapters) {
      const slots = emptySlots.get(id) ?? SlotSet.empty(this.#chapterSize);
      // A rival may have committed between the two reads. Within a chapter empty slots only ever grow in number, so an
      // equal count means an equal state; the directory's version alone would let an older bitmap replace a newer one.
      const counted = this.#year(day).days.get(day)?.empty.get(chapter) ?? 0;
      if (slots.count() !== counted) throw new StaleRankError(id);
      this.#emptySlots.set(id, slots);
    }
  }

  /** The newest day of the year of `day` that holds places, or `day` itself. Loaded before. */
  newestDay(day: string): string {
    let newest = day;
    for (const known of this.#year(day).days.keys()) if (known > newest) newest = known;
    return newest;
  }

  /**
   * Brings a record to a day: one that is there already keeps its place, any other takes the day's next slot. Either
   * way the list has changed, and the version of the day's directory tells.
   *
   * @param rank where the record is now; undefined when it is new
   * @throws StaleRankError when the record is not there any more
   */
  place(rank: string | undefined, day: string): string {
    if (rank?.startsWith(day)) {
      this.#changedYears.add(this.#year(day).year);
      return rank;
    }
    if (rank) this.leave(rank);
    return this.#take(day);
  }

  /**
   * Takes a record off the order.
   *
   * @throws StaleRankError when the record is not there any more
   */
  leave(rank: string): void {
    const { day, slot } = parseRank(rank);
    const chapter = this.chapterOf(rank);
    const counts = this.#year(day).days.get(day);
    const slots = this.#emptySlots.get(chapterId(chapter));
    if (!counts || !slots || slots.has(slot % this.#chapterSize)) throw new StaleRankError(rank);
    slots.add(slot % this.#chapterSize);
    counts.empty.set(chapter.chapter, (counts.empty.get(chapter.chapter) ?? 0) + 1);
    this.#changedYears.add(day.slice(0, 4));
    this.#changedChapters.set(chapterId(chapter), chapter);
  }

  #take(day: string): string {
    const directory = this.#year(day);
    let counts = directory.days.get(day);
    if (!counts) {
      counts = { next: 0, empty: new Map() };
      directory.days.set(day, counts);
    }
    this.#changedYears.add(directory.year);
    return rankOf(day, counts.next++);
  }

  /**
   * The writes for every `place` and `leave` since the last `committed`.
   *
   * @param now the time of the change
   * @param dropBefore days before this one are dropped once they hold no record; a dropped day must never be taken
   * from again, since a lagging index could still show who had its slots before
   */
  writes(now: Date, dropBefore: string | undefined): TransactWriteItem[] {
    const writes: TransactWriteItem[] = [];
    for (const { day, chapter } of this.#changedChapters.values()) {
      const counts = this.#year(day).days.get(day);
      const key = emptySlotsKey(this.#order, day, chapter);
      const slots = this.#emptySlots.get(chapterId({ day, chapter }));
      if (!counts || !slots || this.#isSettled(counts, chapter) || mayDrop(day, counts, dropBefore)) {
        writes.push(this.#table.deleteWrite(key));
      } else writes.push(this.#table.putWrite({ ...key, slots: slots.bytes }));
    }
    for (const year of this.#changedYears) {
      const directory = this.#year(year);
      for (const [day, counts] of directory.days) if (mayDrop(day, counts, dropBefore)) directory.days.delete(day);
      const changed = { ...directory, version: directory.version + 1, changedAt: now.getTime() };
      const item = directoryItem(this.#order, changed);
      writes.push(this.#table.putWrite(item, unchanged("version", directory.version || undefined)));
    }
    return writes;
  }

  /** Ids of the items that `writes` would hold for these moves, to count before a transaction is packed. */
  itemsFor(day: string | undefined, leaving: string | undefined): string[] {
    const items: string[] = [];
    if (day) items.push(directoryKey(this.#order, day.slice(0, 4)).sk);
    if (leaving) items.push(leaving.slice(0, 4), chapterId(this.chapterOf(leaving)));
    return items.map((item) => `${this.#order.index} ${item}`);
  }

  /** The transaction with `writes` went through. */
  committed(): void {
    for (const year of this.#changedYears) this.#year(year).version++;
    this.#changedYears.clear();
    this.#changedChapters.clear();
  }

  /** The transaction was refused or its fate is unknown: nothing that was read or changed counts any more. */
  forget(): void {
    this.#directories.clear();
    this.#emptySlots.clear();
    this.#changedYears.clear();
    this.#changedChapters.clear();
  }

  #year(day: string): Directory {
    const directory = this.#directories.get(day.slice(0, 4));
    if (!directory) throw new Error(`the directory of ${day.slice(0, 4)} is not loaded`);
    return directory;
  }

  /** A full chapter without records will never change again, and its count says all: it needs no bitmap. */
  #isSettled(counts: Day, chapter: number): boolean {
    return counts.empty.get(chapter) === this.#chapterSize;
  }
}

function mayDrop(day: string, counts: Day, dropBefore: string | undefined): boolean {
  return dropBefore !== undefined && day < dropBefore && liveRecords(counts) === 0;
}
