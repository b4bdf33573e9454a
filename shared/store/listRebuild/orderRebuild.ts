import { isDeepStrictEqual } from "node:util";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Condition, type Item, type RawItem, type Table, unchanged } from "../client.ts";
import { dayIndexKey, type ListOrder } from "../keys/orderedLists.ts";
import {
  formatPosition,
  isPosition,
  lastSlot,
  numberToPosition,
  parsePosition,
  positionToNumber,
} from "../keys/positions.ts";
import {
  type DayCounts,
  type DayIndex,
  dayIndexItem,
  hasConsistentYears,
  newDayIndex,
  packDays,
  unpackDays,
  yearOf,
} from "../orderedList/dayIndex.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import {
  allocatedSlots,
  dayItem,
  emptyBySegment,
  hasInlineCounts,
  SlotSet,
  segmentItem,
} from "../orderedList/slotItems.ts";
import { digestBytes, type RecordDigest, unpackDigest } from "../recordDigest.ts";
import { retryOnOutage } from "../retryOnConflict.ts";
import { lowerBound, NumberColumn } from "./numberColumn.ts";
import { retryOptions, streamItems } from "./streamItems.ts";

/** The stored day indexes of an order, even if they are damaged, and the counts that follow from the records. */
export class OrderRebuild {
  readonly name: OrderName;
  readonly order: ListOrder;
  /** The generation of the list; 0 if it was never rebuilt. */
  readonly generation: number;
  /** The digest of the newest day index; undefined if it has none, or if its value is damaged. */
  readonly digest: RecordDigest | undefined;
  /** Whether the day indexes are of different states, or are closed by an interrupted rebuild. */
  readonly isBroken: boolean;
  readonly #items: Map<string, Item>;
  readonly #storedDays: ReadonlyMap<string, DayCounts>;
  /** Each record's position; of a record without a valid one the negative start of its day. */
  #column = new NumberColumn();
  #days = new Map<string, DayCounts>();

  private constructor(name: OrderName, order: ListOrder, items: readonly Item[]) {
    this.name = name;
    this.order = order;
    this.#items = new Map(items.map((item) => [item.sk, item]));
    this.#storedDays = new Map(items.flatMap(readDays));
    this.generation = Math.max(0, ...items.map(({ generation }) => Number(generation ?? 0)));
    const digest = items.at(-1)?.digest;
    this.digest = digest instanceof Uint8Array && digest.byteLength === digestBytes ? unpackDigest(digest) : undefined;
    const dayIndexes = items.map(({ sk, version, others }) => ({ ...newDayIndex(sk), version, others }) as DayIndex);
    this.isBroken = items.some(({ rebuilding }) => rebuilding) || !hasConsistentYears(dayIndexes, "0000");
  }

  static async load(table: Table, name: OrderName, order: ListOrder): Promise<OrderRebuild> {
    const read = () => table.queryPartition(order.dayIndexPartition, { consistent: true });
    return new OrderRebuild(name, order, await retryOnOutage(table.clock, read, retryOptions));
  }

  /** The versions of all day indexes. If two reads give equal texts, the list has not changed between them. */
  get state(): string {
    return JSON.stringify([...this.#items.values()].map(({ sk, version }) => [sk, version]));
  }

  get isStored(): boolean {
    return this.#items.size > 0;
  }

  /** Call it before the items are read once more. */
  restart(): void {
    this.#column = new NumberColumn();
  }

  /** Call it for each item of the list. @param day the item's day; any day if only its position says so */
  add(item: RawItem, day: string | undefined, today: string): void {
    const position = item[this.name]?.S ?? "";
    const isValid = isPosition(position) && position.startsWith(day ?? "");
    this.#column.push(isValid ? positionToNumber(position) : -positionToNumber(formatPosition(day ?? today, 0)));
  }

  /**
   * Gives a new position to each record without a valid one, or with that of another record: the next one of its day that
   * was never allocated. Returns their number. Call it after all items were added.
   *
   * @param by the order of the records of each day; default that of their positions
   */
  place(by?: Float64Array): number {
    const numbers = this.numbers;
    const keys = by ?? numbers.slice();
    const none = { allocated: 0, active: 0 };
    const days = new Map([...this.#storedDays].map(([day, { allocated }]) => [day, { allocated, active: 0 }]));
    for (const number of numbers) {
      if (number < 0) continue;
      const { day, slot } = parsePosition(numberToPosition(number));
      days.set(day, { allocated: Math.max(days.get(day)?.allocated ?? 0, slot + 1), active: 0 });
    }
    const last = new Map<string, number>();
    let moved = 0;
    for (const i of Uint32Array.from(numbers, (_, i) => i).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0))) {
      const number = numbers[i] ?? 0;
      const { day } = parsePosition(numberToPosition(Math.abs(number)));
      const { allocated, active } = days.get(day) ?? none;
      const isKept = number > (last.get(day) ?? 0);
      days.set(day, { allocated: isKept ? allocated : allocated + 1, active: active + 1 });
      if (!isKept) {
        numbers[i] = positionToNumber(formatPosition(day, allocated));
        moved++;
      }
      if (isKept || by) last.set(day, numbers[i] ?? 0);
    }
    this.#days = days;
    return moved;
  }

  /** The positions of the records as numbers, in the order in which the records were added. */
  get numbers(): Float64Array {
    return this.#column.values;
  }

  get wrongDays(): number {
    const days = [...new Set([...this.#storedDays.keys(), ...this.#days.keys()])];
    return days.filter((day) => !isDeepStrictEqual(this.#storedDays.get(day), this.#days.get(day))).length;
  }

  /** The writes that make the stored items of empty sequence numbers those of the records. */
  async slotWrites(table: Table): Promise<TransactWriteItem[]> {
    const missing = new Map(this.#expectedSlots().map((item) => [item.sk, item]));
    const deletes: TransactWriteItem[] = [];
    for await (const part of streamItems(table, this.order.slots, ["empty", "slots"])) {
      for (const { sk, empty, slots } of part) {
        const expected = missing.get(sk?.S ?? "");
        if (!expected) deletes.push(table.deleteWrite({ pk: this.order.slots, sk: sk?.S ?? "" }));
        else if (contentOf(empty?.B, slots?.B) === contentOf(expected.empty, expected.slots))
          missing.delete(expected.sk);
      }
    }
    return [...deletes, ...[...missing.values()].map((item) => table.putWrite(item))];
  }

  /** The writes that close the order: readers and writers get 503. They apply only to the stored versions. */
  closeWrites(table: Table, generation: number): TransactWriteItem[] {
    return this.#years().map((year) => {
      const item = { days: packDays(new Map()), ...this.#items.get(year), ...dayIndexKey(this.order, year) };
      return this.#putYear(table, { ...item, changed: generation, rebuilding: generation });
    });
  }

  /** The write that applies only while the order is as `closeWrites` has left it. */
  isClosed(table: Table): TransactWriteItem {
    const [year = "", item] = [...this.#items][0] ?? [];
    return table.checkWrite(dayIndexKey(this.order, year), hasVersion(item?.version));
  }

  /** The writes of the day indexes with the counts of the records. They apply only to the stored versions. */
  openWrites(table: Table, generation: number, digest: RecordDigest | undefined): TransactWriteItem[] {
    const years = this.#years();
    const next = (year: string) => ((this.#items.get(year)?.version as number | undefined) ?? 0) + 1;
    const others = Object.fromEntries(years.slice(0, -1).map((year) => [year, next(year)]));
    return years.map((year, i) => {
      const days = [...this.#days].filter(([day]) => yearOf(day) === year).sort(([a], [b]) => (a < b ? -1 : 1));
      const dayIndex = { ...newDayIndex(year), changedAt: generation, days: new Map(days) };
      const ofNewest = i === years.length - 1 ? { others, generation, digest } : {};
      return this.#putYear(table, dayIndexItem(this.order, { ...dayIndex, ...ofNewest }));
    });
  }

  #putYear(table: Table, item: Item): TransactWriteItem {
    const stored = this.#items.get(item.sk)?.version as number | undefined;
    const next = { ...item, version: (stored ?? 0) + 1 };
    this.#items.set(item.sk, next);
    return table.putWrite(next, hasVersion(stored));
  }

  #years(): string[] {
    return [...new Set([...this.#items.keys(), ...[...this.#days.keys()].map(yearOf)])].sort();
  }

  #expectedSlots(): Item[] {
    const { order } = this;
    const { segmentSize } = order;
    const sorted = this.numbers.slice().sort();
    return [...this.#days].flatMap(([day, counts]) => {
      if (counts.active === counts.allocated) return [];
      const start = positionToNumber(formatPosition(day, 0));
      const empty = new Map<number, number>();
      const bitmaps: Item[] = [];
      for (let segment = 0; segment * segmentSize < counts.allocated; segment++) {
        const first = start + segment * segmentSize;
        const slots = SlotSet.empty(segmentSize);
        let at = lowerBound(sorted, first);
        for (let slot = 0; slot < allocatedSlots(counts, segment, segmentSize); slot++) {
          if (sorted[at] === first + slot) at++;
          else slots.add(slot);
        }
        const count = slots.count();
        if (count > 0) empty.set(segment, count);
        // A segment without records needs no bitmap: its count shows that all its sequence numbers are empty.
        if (count > 0 && count < segmentSize) bitmaps.push(segmentItem(order, day, segment, slots));
      }
      return [...(hasInlineCounts(counts, segmentSize) ? [] : [dayItem(order, day, { empty })]), ...bitmaps];
    });
  }
}

/** The readable days of a stored day index: none if its value is damaged, and without days whose counts are invalid. */
function readDays({ sk: year, days }: Item): [string, DayCounts][] {
  try {
    const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= lastSlot;
    const read = [...unpackDays(year, days as Uint8Array)];
    return read.filter(([, { allocated, active }]) => isCount(allocated) && isCount(active));
  } catch {
    return [];
  }
}

/** The content of an item of empty sequence numbers as a text; undefined if it cannot be read. */
function contentOf(empty: unknown, slots: unknown): string | undefined {
  if (!(empty instanceof Uint8Array)) return Buffer.from((slots ?? []) as Uint8Array).toString("base64");
  try {
    return JSON.stringify([...emptyBySegment({ empty: { B: empty } })].sort(([one], [other]) => one - other));
  } catch {
    return undefined;
  }
}

const hasVersion = (version: unknown): Condition =>
  version === undefined ? { expression: "attribute_not_exists(version)" } : unchanged("version", version);
