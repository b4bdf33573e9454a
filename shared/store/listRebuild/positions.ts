import { utcDay } from "../../time/clock.ts";
import type { RawItem } from "../client.ts";
import { formatPosition, numberToPosition, parsePosition, positionToNumber } from "../keys/positions.ts";
import type { DayCounts } from "../orderedList/dayIndex.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import { type ListRules, validPosition } from "./listRules.ts";
import { NumberColumn } from "./numberColumn.ts";

/**
 * The positions of a list's records in one order, and new positions for records without a valid one. A record keeps its position, because the position says when the record changed. Only a record
 * without a valid position, or with the position of another record, gets the next position of its day. A position that
 * a stored day index has allocated is not allocated again.
 */
export class Positions {
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

  /** Call it for each item of the list. */
  add(item: RawItem): void {
    const position = validPosition(this.#rules, item, this.#order);
    if (position === undefined) this.#misplaced++;
    else this.#column.push(positionToNumber(position));
  }

  /**
   * Call it after all items were added.
   *
   * @param stored the days with the counts of the stored day indexes
   * @returns the number of items that must move
   */
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

  /** The position that an item must move to; undefined if it stays. Call it once for each item. */
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

  /** All positions as ascending numbers, including the new positions of moved items. */
  sorted(): Float64Array {
    return distinct(this.#column.sorted());
  }

  /** The days, with the counts that result from all positions. */
  days(): Map<string, DayCounts> {
    return this.#days;
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

const distinct = (sorted: Float64Array) => sorted.filter((number, i) => number !== sorted[i - 1]);
