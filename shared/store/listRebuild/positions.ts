import { utcDay } from "../../time/clock.ts";
import type { RawItem } from "../client.ts";
import { formatPosition, numberToPosition, parsePosition, positionToNumber } from "../keys/positions.ts";
import type { DayCounts } from "../orderedList/dayIndex.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import { type ListRules, validPosition } from "./listRules.ts";
import { lowerBound, NumberColumn } from "./numberColumn.ts";

/** The positions of a list's items in one order, and new positions for items without a valid position. */
export interface Positions {
  /** Call it for each item of the list. */
  add(item: RawItem): void;
  /**
   * Call it after all items were added.
   *
   * @param stored the days with the counts of the stored day indexes
   * @returns the number of items that must move
   */
  finish(stored: ReadonlyMap<string, DayCounts>): number;
  /** The position that an item must move to; undefined if it stays. Call it once for each item. */
  newPosition(item: RawItem): string | undefined;
  /** All positions as ascending numbers, including the new positions of moved items. */
  sorted(): Float64Array;
  /** The days, with the counts that result from all positions. */
  days(): Map<string, DayCounts>;
}

export function positionsOf(rules: ListRules, order: OrderName, now: Date): Positions {
  return rules.sortKeyOf ? new SortedPositions(rules, order) : new OwnPositions(rules, order, now);
}

/**
 * Positions of records. A record keeps its position, because the position says when the record changed. Only a record
 * without a valid position, or with the position of another record, gets the next position of its day. A position that
 * a stored day index has allocated is not allocated again.
 */
class OwnPositions implements Positions {
  readonly #rules: ListRules;
  readonly #order: OrderName;
  readonly #today: string;
  readonly #column = new NumberColumn();
  #misplaced = 0;
  #days = new Map<string, DayCounts>();
  /**
   * Positions that several records have. The value says whether `newPosition` has already let one of these records keep
   * the position.
   */
  readonly #shared = new Map<number, boolean>();

  constructor(rules: ListRules, order: OrderName, now: Date) {
    this.#rules = rules;
    this.#order = order;
    this.#today = utcDay(now);
  }

  add(item: RawItem): void {
    const position = validPosition(this.#rules, item, this.#order);
    if (position === undefined) this.#misplaced++;
    else this.#column.push(positionToNumber(position));
  }

  finish(stored: ReadonlyMap<string, DayCounts>): number {
    const sorted = this.#column.sorted();
    for (let i = 1; i < sorted.length; i++) {
      if (sorted[i] !== sorted[i - 1]) continue;
      this.#misplaced++;
      this.#shared.set(sorted[i] as number, false);
    }
    this.#days = daysOf(distinct(sorted), stored);
    return this.#misplaced;
  }

  newPosition(item: RawItem): string | undefined {
    const position = validPosition(this.#rules, item, this.#order);
    if (position !== undefined) {
      const isKept = this.#shared.get(positionToNumber(position));
      if (isKept === undefined) return undefined;
      this.#shared.set(positionToNumber(position), true);
      if (!isKept) return undefined;
    }
    const day = this.#rules.dayOf(item, this.#order) ?? this.#today;
    const { allocated: next, active } = this.#days.get(day) ?? { allocated: 0, active: 0 };
    this.#days.set(day, { allocated: next + 1, active: active + 1 });
    this.#column.push(positionToNumber(formatPosition(day, next)));
    return formatPosition(day, next);
  }

  sorted(): Float64Array {
    return distinct(this.#column.sorted());
  }

  days(): Map<string, DayCounts> {
    return this.#days;
  }
}

/**
 * Positions of index entries. They must sort like the positions of the records. If they do not, all entries get new
 * positions, without gaps.
 */
class SortedPositions implements Positions {
  readonly #rules: ListRules;
  readonly #order: OrderName;
  readonly #keys = new NumberColumn();
  readonly #own = new NumberColumn();
  #sortedKeys: Float64Array = new Float64Array();
  #positions: Float64Array = new Float64Array();
  #moves = false;
  #days = new Map<string, DayCounts>();

  constructor(rules: ListRules, order: OrderName) {
    this.#rules = rules;
    this.#order = order;
  }

  add(item: RawItem): void {
    const position = validPosition(this.#rules, item, this.#order);
    this.#keys.push(this.#keyOf(item));
    this.#own.push(position === undefined ? Number.NaN : positionToNumber(position));
  }

  finish(stored: ReadonlyMap<string, DayCounts>): number {
    const [keys, own] = [this.#keys.values, this.#own.values];
    const byKey = Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] as number) - (keys[b] as number));
    this.#sortedKeys = this.#keys.sorted();
    this.#positions = Float64Array.from(byKey, (i) => own[i] as number);
    // Also false if an entry has no position: its position is NaN, and every comparison with NaN is false.
    const isSorted = this.#positions.every(
      (position, i) => position > (this.#positions[i - 1] ?? Number.NEGATIVE_INFINITY),
    );
    if (isSorted) {
      this.#days = daysOf(this.#positions, stored);
      return 0;
    }
    this.#moves = true;
    const before = this.#positions;
    this.#positions = withoutGaps(this.#sortedKeys);
    this.#days = daysOf(this.#positions, new Map());
    return this.#positions.reduce((sum, position, i) => (position === before[i] ? sum : sum + 1), 0);
  }

  newPosition(item: RawItem): string | undefined {
    if (!this.#moves) return undefined;
    const position = numberToPosition(this.#positions[lowerBound(this.#sortedKeys, this.#keyOf(item))] as number);
    return position === item[this.#order]?.S ? undefined : position;
  }

  sorted(): Float64Array {
    return this.#positions;
  }

  days(): Map<string, DayCounts> {
    return this.#days;
  }

  #keyOf(item: RawItem): number {
    return this.#rules.sortKeyOf?.(item, this.#order) ?? Number.NaN;
  }
}

/** Computes the counts of days from positions. The number of allocated positions of a stored day never decreases. */
function daysOf(sorted: Float64Array, stored: ReadonlyMap<string, DayCounts>): Map<string, DayCounts> {
  const days = new Map([...stored].map(([day, { allocated: next }]) => [day, { allocated: next, active: 0 }]));
  for (const number of sorted) {
    const { day, slot } = parsePosition(numberToPosition(number));
    const { allocated, active } = days.get(day) ?? { allocated: 0, active: 0 };
    days.set(day, { allocated: Math.max(allocated, slot + 1), active: active + 1 });
  }
  return days;
}

function withoutGaps(keys: Float64Array): Float64Array {
  let before = "";
  let next = 0;
  return keys.map((key) => {
    const { day } = parsePosition(numberToPosition(key));
    next = day === before ? next + 1 : 0;
    before = day;
    return positionToNumber(formatPosition(day, next));
  });
}

const distinct = (sorted: Float64Array) => sorted.filter((number, i) => number !== sorted[i - 1]);
