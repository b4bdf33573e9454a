import type { Window } from "./metrcApi.ts";
import type { ReceiptReader, Receipts } from "./receiptReader.ts";

/** A window that was read. */
interface ReadWindow {
  window: Window;
  receipts: Receipts;
}

/** The callbacks of a sequence. */
interface WindowHandlers {
  /** Called for each window. A window can come twice; the later receipts then count. */
  take(window: Window, receipts: Receipts): void;
  /** Called if receipts that changed before the instant may be missing. */
  doubt(end: Date): void;
}

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Adjacent windows overlap, because it is unknown whether a window includes its bounds. */
const overlapMs = minuteMs;
const maxLengthMs = 32 * dayMs;
/** Maximum number of receipts in a window longer than a day. The receipts of a window are in memory with all fields. */
const maxReceipts = 5_000;
/** A comparison that allows less growth than this changes no length. */
const minGrowth = 1.5;
/** Number of comparisons without growth after which windows keep their length. */
const maxComparisons = 3;
const lists = ["active", "inactive"] as const;

/**
 * Reads windows of receipts from an instant back in time, without gaps. The first windows have 24 hours. A state may cut longer
 * windows without an error, so they are used only after a comparison.
 */
export class WindowSequence {
  readonly #reader: ReceiptReader;
  readonly #handlers: WindowHandlers;
  #lengthMs = dayMs;
  #comparisonsLeft = maxComparisons;
  #last: ReadWindow | undefined;
  /** the windows are read back to this instant */
  start: Date;

  constructor(reader: ReceiptReader, end: Date, handlers: WindowHandlers) {
    this.#reader = reader;
    this.#handlers = handlers;
    this.start = new Date(end.getTime() - overlapMs);
  }

  /** @throws OutOfTimeError if the time ends before. The windows from `start` on are read then */
  async readBackTo(goal: Date): Promise<void> {
    while (this.start > goal) {
      const end = this.start.getTime() + overlapMs;
      const window = { start: new Date(Math.max(goal.getTime(), end - this.#lengthMs)), end: new Date(end) };
      const receipts = await this.#read(window);
      this.start = window.start;
      if (this.#comparisonsLeft > 0) await this.#compare({ window, receipts });
    }
  }

  async #read(window: Window): Promise<Receipts> {
    const receipts = await this.#reader.read(window);
    this.#handlers.take(window, receipts);
    return receipts;
  }

  /**
   * Compares the last two windows with one window of their common length. If it states the same number of receipts, the state
   * has not cut it between its earliest and its latest receipt, so the next windows get this length. If it states more
   * receipts, the state has returned one of the two windows without some of its receipts. So both are read again.
   */
  async #compare(next: ReadWindow): Promise<void> {
    const last = this.#last;
    this.#last = isSmall(next.receipts) ? next : undefined;
    if (!last || !areComparable(last.receipts, next.receipts)) return;
    const both = { start: next.window.start, end: last.window.end };
    const lengthMs = both.end.getTime() - both.start.getTime();
    if (lengthMs > maxLengthMs) return;
    this.#comparisonsLeft--;
    const totals = await this.#totals(both);
    const before = differences(totals, last.receipts, next.receipts);
    if (before.every((difference) => difference === 0)) {
      const spanMs = spanOf(last.receipts, next.receipts);
      if (spanMs < minGrowth * this.#lengthMs) return;
      this.#lengthMs = spanMs;
      this.#comparisonsLeft = maxComparisons;
      this.#last = undefined;
    } else if (before.some((difference) => difference > 0)) {
      const after = differences(totals, await this.#read(last.window), await this.#read(next.window));
      if (after.some((difference) => difference > 0)) this.#handlers.doubt(both.end);
      this.#last = undefined;
    }
  }

  async #totals(window: Window): Promise<(number | null)[]> {
    const totals: (number | null)[] = [];
    for (const list of lists) totals.push(await this.#reader.count(list, window));
    return totals;
  }
}

/** Whether a window twice as long would still have few receipts. */
const isSmall = ({ active, inactive }: Receipts) => 2 * (active.count + inactive.count) <= maxReceipts;

/** Windows without receipts prove nothing: a state that cuts long windows states the same total. */
function areComparable(last: Receipts, next: Receipts): boolean {
  const rows = [last, next].flatMap((receipts) => lists.map((list) => receipts[list]));
  const hasAll = rows.every(({ isProven, unreadableDays }) => isProven && unreadableDays.size === 0);
  return hasAll && isSmall(next) && lists.some((list) => last[list].count > 0 && next[list].count > 0);
}

/** Milliseconds between the earliest and the latest change of the receipts in two windows. */
function spanOf(last: Receipts, next: Receipts): number {
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { receipts } of [last, next].flatMap(({ active, inactive }) => [active, inactive])) {
    for (const { lastModified } of receipts.values()) {
      const changed = Date.parse(lastModified ?? "");
      if (changed < earliest) earliest = changed;
      if (changed > latest) latest = changed;
    }
  }
  return latest - earliest;
}

/** By list, the stated total minus the number of receipts that were read; NaN if no total is stated. */
function differences(totals: readonly (number | null)[], last: Receipts, next: Receipts): number[] {
  return lists.map((list, index) => {
    const ids = new Set(last[list].receipts.keys()).union(new Set(next[list].receipts.keys()));
    return (totals[index] ?? Number.NaN) - ids.size;
  });
}
