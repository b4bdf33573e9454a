import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { utcDay } from "../../time/clock.ts";
import type { Condition, Item, Table } from "../client.ts";
import { dayIndexKey, type ListOrder } from "../keys/orderedLists.ts";
import { lastSlot } from "../keys/positions.ts";
import {
  type DayCounts,
  type DayIndex,
  hasConsistentYears,
  newDayIndex,
  packDays,
  unpackDays,
  yearOf,
} from "../orderedList/dayIndex.ts";
import { dayIndexItem } from "../orderedList/dayIndexItems.ts";
import { type Fence, transactFenced } from "../orderedList/fence.ts";
import { digestBytes, type RecordDigest, unpackDigest } from "../recordDigest.ts";
import { isUnmet, retryOnConflict, retryOnOutage } from "../retryOnConflict.ts";
import { expectedSlots, hasSameContent } from "./expectedSlots.ts";
import { retryOptions, streamItems } from "./streamItems.ts";

/** Another writer has changed the list, or is rebuilding it. */
export class ListChangedError extends Error {
  override readonly name = "ListChangedError";
}

/** Maximum number of writes in a transaction, in addition to the check of the fence and the check of a day index. */
export const maxWrites = 98;

/** The context of a write to a list; `fence` is absent for a list without a lease. */
export interface ListWriter {
  table: Table;
  fence?: Fence | undefined;
}

/**
 * The stored day indexes and items of empty sequence numbers of one order, even if they are damaged. A rebuild that
 * changes them in several transactions closes the day indexes first: readers and writers of the list get 503.
 */
export class StoredOrder {
  readonly order: ListOrder;
  readonly days: ReadonlyMap<string, DayCounts>;
  readonly generation: number | undefined;
  /** The digest of the newest day index; undefined if it has none, or if its value is damaged. */
  readonly digest: RecordDigest | undefined;
  readonly isBroken: boolean;
  readonly #writer: ListWriter;
  /** Items by year. */
  readonly #items: Map<string, Item>;
  readonly #versions: Map<string, number | undefined>;
  #isClosed = false;

  private constructor(writer: ListWriter, order: ListOrder, items: readonly Item[]) {
    this.#writer = writer;
    this.order = order;
    this.#items = new Map(items.map((item) => [item.sk, item]));
    this.#versions = new Map(items.map(({ sk, version }) => [sk, typeof version === "number" ? version : undefined]));
    this.days = new Map(items.flatMap((item) => [...storedDays(item)]));
    const generations = items.flatMap(({ generation }) => (typeof generation === "number" ? [generation] : []));
    this.generation = generations.length > 0 ? Math.max(...generations) : undefined;
    this.digest = storedDigest(items.at(-1));
    this.isBroken = items.some(({ rebuilding }) => rebuilding !== undefined) || !areOfOneState(items);
  }

  static async load(writer: ListWriter, order: ListOrder): Promise<StoredOrder> {
    const { table } = writer;
    const read = () => table.queryPartition(order.dayIndexPartition, { consistent: true });
    return new StoredOrder(writer, order, await retryOnOutage(table.clock, read, retryOptions));
  }

  get isStored(): boolean {
    return this.#items.size > 0;
  }

  /**
   * The versions of all day indexes, as a text. If two reads give equal texts, the list has not changed between them.
   */
  get state(): string {
    return JSON.stringify([...this.#versions]);
  }

  /**
   * Closes the list to readers and writers.
   *
   * @param days all days that the list will have when it is opened
   * @throws ListChangedError if the list has changed since it was loaded
   */
  async close(days: Iterable<string>, generation: number): Promise<void> {
    const years = new Set([...this.#items.keys(), ...[...days].map(yearOf)]);
    if (years.size === 0) years.add(yearOf(utcDay(new Date(generation))));
    await this.#put(
      [...years].sort().map((year) => ({
        days: packDays(new Map()),
        ...this.#items.get(year),
        ...dayIndexKey(this.order, year),
        changed: generation,
        rebuilding: generation,
      })),
    );
    this.#isClosed = true;
  }

  /** Opens the list, with day indexes that have the counts of these days. */
  async open(
    days: ReadonlyMap<string, DayCounts>,
    generation: number,
    digest: RecordDigest | undefined,
  ): Promise<void> {
    const years = [...new Set([...this.#items.keys(), ...[...days.keys()].map(yearOf)])].sort();
    const dayIndexes = years.map((year): DayIndex => {
      const ofYear = [...days].filter(([day]) => yearOf(day) === year).sort(([a], [b]) => (a < b ? -1 : 1));
      const version = (this.#versions.get(year) ?? 0) + 1;
      return { ...newDayIndex(year), version, changedAt: generation, days: new Map(ofYear) };
    });
    const others = Object.fromEntries(dayIndexes.slice(0, -1).map(({ year, version }) => [year, version]));
    const ofNewest = { others, generation, digest };
    await this.#put(
      dayIndexes.map((dayIndex, i) =>
        dayIndexItem(this.order, i < dayIndexes.length - 1 ? dayIndex : { ...dayIndex, ...ofNewest }),
      ),
    );
    this.#isClosed = false;
  }

  /**
   * Compares the stored items of empty sequence numbers with the expected items.
   *
   * @returns the writes that remove the differences
   */
  async *slotChanges(
    sorted: Float64Array,
    days: ReadonlyMap<string, DayCounts>,
  ): AsyncGenerator<TransactWriteItem, void, undefined> {
    const { table } = this.#writer;
    const expected = expectedSlots(this.order, sorted, days);
    let next = expected.next();
    const put = (item: Item) => table.putWrite(item);
    for await (const part of streamItems(table, this.order.slots, ["empty", "slots"])) {
      for (const stored of part) {
        const sk = stored.sk?.S ?? "";
        for (; !next.done && next.value.sk < sk; next = expected.next()) yield put(next.value);
        if (next.done || next.value.sk > sk) yield table.deleteWrite({ pk: this.order.slots, sk });
        else {
          if (!hasSameContent(stored, next.value)) yield put(next.value);
          next = expected.next();
        }
      }
    }
    for (; !next.done; next = expected.next()) yield put(next.value);
  }

  /** Commits writes while the list is closed by this rebuild. @param writes `maxWrites` at most */
  async commitClosed(writes: readonly TransactWriteItem[]): Promise<void> {
    if (!this.#isClosed) throw new Error(`${this.order.dayIndexPartition} is not being rebuilt`);
    const [[year, version] = ["", 0]] = this.#versions;
    await commitIfUnchanged(this.#writer, [
      this.#writer.table.checkWrite(dayIndexKey(this.order, year), hasVersion(version)),
      ...writes,
    ]);
  }

  /**
   * Puts day indexes, on condition that each still has the version that was read. The first transaction takes up to 98
   * of them.
   */
  async #put(items: readonly Item[]): Promise<void> {
    const { table } = this.#writer;
    const versioned = items.map((item) => ({ ...item, version: (this.#versions.get(item.sk) ?? 0) + 1 }));
    // A list with more years needs several transactions. Readers do not see a mixture of years, because a reader that
    // finds a closed year gets 503.
    for (let i = 0; i < versioned.length; i += maxWrites) {
      const part = versioned.slice(i, i + maxWrites);
      const writes = part.map((item) => table.putWrite(item, hasVersion(this.#versions.get(item.sk))));
      await commitIfUnchanged(this.#writer, writes);
      for (const item of part) {
        this.#versions.set(item.sk, item.version);
        this.#items.set(item.sk, item);
      }
    }
  }
}

/** @throws ListChangedError if the condition of any write does not hold; LeaseLostError */
export async function commitIfUnchanged(
  { table, fence }: ListWriter,
  writes: readonly TransactWriteItem[],
): Promise<void> {
  const commit = async () => {
    try {
      await (fence ? transactFenced(table, fence, writes) : table.transact([...writes]));
    } catch (error) {
      const first = fence ? 1 : 0;
      if (writes.some((_, i) => isUnmet(error, i + first))) throw new ListChangedError();
      throw error;
    }
  };
  await retryOnOutage(table.clock, () => retryOnConflict(table.clock, commit, retryOptions), retryOptions);
}

const hasVersion = (version: number | undefined): Condition =>
  version === undefined
    ? { expression: "attribute_not_exists(version)" }
    : { expression: "version = :version", values: { ":version": version } };

/** The readable days of a stored day index: none if its value is damaged, and without days whose counts are invalid. */
function storedDays({ sk: year, days }: Item): ReadonlyMap<string, DayCounts> {
  try {
    const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= lastSlot;
    return new Map(
      [...unpackDays(year, days as Uint8Array)].filter(
        ([, { allocated: next, active }]) => isCount(next) && isCount(active),
      ),
    );
  } catch {
    return new Map();
  }
}

function storedDigest(newest: Item | undefined): RecordDigest | undefined {
  const packed = newest?.digest;
  return packed instanceof Uint8Array && packed.byteLength === digestBytes ? unpackDigest(packed) : undefined;
}

function areOfOneState(items: readonly Item[]): boolean {
  const dayIndexes = items.map(({ sk: year, version, others }) => ({
    ...newDayIndex(year),
    version: version as number,
    others: others as DayIndex["others"],
  }));
  return hasConsistentYears(dayIndexes, "0000");
}
