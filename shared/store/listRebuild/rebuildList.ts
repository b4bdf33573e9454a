import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Clock } from "../../time/clock.ts";
import type { RawItem, Table } from "../client.ts";
import { entriesPartition } from "../keys/indexEntries.ts";
import { dedicatedIndex, type OrderedList } from "../keys/orderedLists.ts";
import type { Fence } from "../orderedList/fence.ts";
import { type OrderName, toIndexedDay } from "../orderedList/indexEntries.ts";
import { EntryAudit } from "./entryAudit.ts";
import { deleteEntry, type EntryWrite, putEntry } from "./entryWrites.ts";
import { dedicatedIndexRules, expectedCustomerRank, type ListRules } from "./listRules.ts";
import { type Positions, positionsOf } from "./positions.ts";
import { commitIfUnchanged, type IndexNames, ListChangedError, maxWrites, StoredOrder } from "./storedOrder.ts";
import { streamItems } from "./streamItems.ts";

/** Counts of the differences between a list and its records. */
interface ListDifferences {
  /** Derived records that differ from their source records. `rebuildList` compares no such records. */
  records: number;
  /** Records without a position of their own in an order, or at a wrong one. */
  positions: number;
  /** Days with wrong counts, in all orders. */
  days: number;
  /** Items of empty sequence numbers that are missing, wrong or stale. */
  segments: number;
  /** Orders whose years do not belong together, or that a rebuild has left closed. */
  dayIndexes: number;
  /** Index entries that are missing, or have the wrong positions. */
  missingEntries: number;
  /** Index entries that no record has. */
  surplusEntries: number;
}

export interface ListReport {
  /** The number of records in the list. */
  size: number;
  differences: ListDifferences;
}

export const noDifferences: ListDifferences = {
  records: 0,
  positions: 0,
  days: 0,
  segments: 0,
  dayIndexes: 0,
  missingEntries: 0,
  surplusEntries: 0,
};

export interface RebuildOptions {
  /** The lease under which the list is written; absent for a list without one. */
  fence?: Fence;
  clock: Clock;
  /** Compares only, and writes nothing. */
  isCheck?: boolean;
  /** Called with the number of records that were read since the last call; a list is read several times. */
  onProgress?: (records: number) => void;
}

const maxConflicts = 5;

/**
 * Compares a list with its records. Unless it is a check, also rebuilds what differs: positions, the counts of days,
 * empty sequence numbers, index entries, dedicated indexes. Records keep their positions; one without a valid position
 * gets the next one of its day.
 *
 * Changes of several transactions are written while the list is closed: readers and writers get 503 until all of them
 * are stored. The last transaction opens the list and gives it a new generation, so that cursors begin again. An
 * interrupted rebuild leaves the list as it was, or closed, and the next one finishes it.
 *
 * Reads the list two to four times, and takes about 60 bytes of memory a record.
 *
 * @returns the differences; wrong positions cause some of the other counts
 * @throws LeaseLostError; ListChangedError if the list changes during each of several attempts; ServiceError
 *   "unavailable" if the table cannot be reached
 */
export async function rebuildList(table: Table, rules: ListRules, options: RebuildOptions): Promise<ListReport> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await new ListRebuild(table, rules, options).run();
    } catch (error) {
      // Under a lease it was the rebuild's own write, whose response was lost.
      if (!(error instanceof ListChangedError) || conflicts === maxConflicts) throw error;
    }
  }
}

/** Whether a list agrees with its records. */
export function hasDifferences({ differences }: Pick<ListReport, "differences">): boolean {
  return Object.values(differences).some((count) => count > 0);
}

interface RebuiltOrder {
  name: OrderName;
  stored: StoredOrder;
  positions: Positions;
  isClosed: boolean;
}

class ListRebuild {
  readonly #table: Table;
  readonly #rules: ListRules;
  readonly #list: OrderedList;
  readonly #options: RebuildOptions;
  readonly #now: Date;
  readonly #differences = { ...noDifferences };
  #size = 0;
  #orders: RebuiltOrder[] = [];
  #names: IndexNames = { dedicatedIndexes: {}, unfinishedIndexes: [] };
  #generation = 0;

  constructor(table: Table, rules: ListRules, options: RebuildOptions) {
    this.#table = table;
    this.#rules = rules;
    this.#list = rules.list;
    this.#options = options;
    this.#now = options.clock.now();
  }

  async run(): Promise<ListReport> {
    const { isCheck = false } = this.#options;
    await this.#load();
    await this.#placeRecords();
    if (this.#rules.finding) await this.#rebuildEntries();
    // The order of updates comes last: its generation marks the end of the rebuild.
    for (const order of this.#orders.toReversed()) await this.#rebuildCounts(order);
    if (isCheck) await this.#expectUnchanged();
    return { size: this.#size, differences: this.#differences };
  }

  async #load(): Promise<void> {
    const writer = { table: this.#table, fence: this.#options.fence };
    for (const [name, order] of Object.entries(this.#list.orders) as [OrderName, StoredOrder["order"]][]) {
      const stored = await StoredOrder.load(writer, order);
      const positions = positionsOf(this.#rules, name, this.#now);
      this.#orders.push({ name, stored, positions, isClosed: false });
      if (stored.isBroken) this.#differences.dayIndexes++;
      this.#generation = Math.max(this.#generation, this.#now.getTime(), (stored.generation ?? 0) + 1);
    }
    this.#names = this.#byUpdates.stored.names;
  }

  /** Reads the positions of all records, and allocates new ones to records without a valid one. */
  async #placeRecords(): Promise<void> {
    let wrongCustomers = 0;
    for await (const part of this.#items()) {
      this.#size += part.length;
      for (const item of part) {
        for (const { positions } of this.#orders) positions.add(item);
        if (item.customerRank?.S !== this.#customerRank(item, item.rank?.S)) wrongCustomers++;
      }
    }
    const moving = this.#orders.filter(({ positions, stored }) => {
      const misplaced = positions.finish(stored.days);
      this.#differences.positions += misplaced;
      return misplaced > 0;
    });
    this.#differences.positions += wrongCustomers;
    if (this.#options.isCheck || (moving.length === 0 && wrongCustomers === 0)) return;
    // Moved records are on no page until the days are counted again. No count depends on the order by customer.
    for (const order of moving) await this.#close(order);
    const [closed] = moving;
    const commit = (writes: readonly TransactWriteItem[]) =>
      closed ? closed.stored.commitClosed(writes) : this.#commit(writes);
    for await (const part of this.#items()) {
      const writes = part.flatMap((item) => this.#moveWrite(item) ?? []);
      for (let i = 0; i < writes.length; i += maxWrites) await commit(writes.slice(i, i + maxWrites));
    }
  }

  /** The write that moves a record to its position; undefined if it has that position. */
  #moveWrite(item: RawItem): TransactWriteItem | undefined {
    const moved = this.#orders.flatMap(({ name, positions }) => {
      const position = positions.newPosition(item);
      return position === undefined ? [] : [[name, position] as const];
    });
    const rank = moved.find(([name]) => name === "rank")?.[1] ?? item.rank?.S;
    const customerRank = this.#customerRank(item, rank);
    const isOfCustomer = item.customerRank?.S === customerRank;
    if (moved.length === 0 && isOfCustomer) return undefined;
    const set = [
      ...moved,
      ...(customerRank !== undefined && !isOfCustomer ? [["customerRank", customerRank] as const] : []),
    ];
    const remove = customerRank === undefined && !isOfCustomer ? ["customerRank"] : [];
    const names = [...set.map(([name]) => name), ...remove];
    const expression = [
      set.length > 0 ? `SET ${set.map((_, i) => `#${i} = :${i}`).join(", ")}` : "",
      remove.length > 0 ? `REMOVE #${names.length - 1}` : "",
    ].join(" ");
    return this.#table.updateWrite(
      { pk: this.#list.pk, sk: item.sk?.S ?? "" },
      {
        expression,
        names: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
        ...(set.length > 0 && { values: Object.fromEntries(set.map(([, value], i) => [`:${i}`, value])) }),
      },
      "attribute_exists(pk)",
    );
  }

  #customerRank(item: RawItem, rank: string | undefined): string | undefined {
    // In a list without customers the attribute stays as it is.
    if (!this.#rules.finding?.extractCustomerId) return item.customerRank?.S;
    return rank === undefined ? undefined : expectedCustomerRank(this.#rules, item, rank);
  }

  async #rebuildEntries(): Promise<void> {
    const { maxEntries } = this.#list;
    const { dedicatedIndexes, unfinishedIndexes } = this.#names;
    const audit = new EntryAudit(this.#table, this.#rules, this.#now);
    for await (const part of this.#items()) for (const item of part) audit.add(item);
    audit.finish();
    const days = this.#orders.flatMap(({ name, stored }) =>
      [...stored.days.keys()].map((day) => entriesPartition(this.#list, toIndexedDay(name, day))),
    );
    const named = [...Object.keys(dedicatedIndexes), ...unfinishedIndexes];
    const surplus = audit.surplus(this.#items(), [...named, ...(this.#list.orders.saleRank ? days : [])]);
    for await (const entries of surplus) {
      this.#differences.surplusEntries += entries.length;
      await this.#writeEntries(entries.map((entry) => deleteEntry(this.#table, entry)));
    }
    this.#differences.missingEntries += audit.missing;
    if (audit.missing > 0 && !this.#options.isCheck) {
      for await (const part of this.#items()) {
        const entries = part.flatMap((item) => audit.missingOf(item));
        await this.#writeEntries(entries.map((entry) => putEntry(this.#table, entry)));
      }
    }
    if (maxEntries === undefined) return;
    if (this.#options.isCheck) {
      for (const pk of Object.keys(dedicatedIndexes)) await this.#rebuildDedicatedIndex(pk);
      return;
    }
    const frequent = await this.#frequentPartitions(audit, maxEntries / 2);
    await this.#rebuildDedicatedIndexes(new Set([...Object.keys(dedicatedIndexes), ...audit.positioned, ...frequent]));
  }

  async #writeEntries(entries: readonly EntryWrite[]): Promise<void> {
    if (this.#options.isCheck) return;
    // The counts of a dedicated index do not fit its entries before it is rebuilt.
    if (entries.some(({ pk }) => Object.hasOwn(this.#names.dedicatedIndexes, pk))) await this.#close(this.#byUpdates);
    for (let i = 0; i < entries.length; i += maxWrites) {
      await this.#commit(entries.slice(i, i + maxWrites).map(({ write }) => write));
    }
  }

  /**
   * Commits writes that leave the counts of the list as they are.
   *
   * @param writes `maxWrites` at most
   * @throws ListChangedError when the condition of any write does not hold
   */
  async #commit(writes: readonly TransactWriteItem[]): Promise<void> {
    const { fence } = this.#options;
    if (!fence) throw new Error(`${this.#list.pk} has index entries but no lease`);
    await commitIfUnchanged({ table: this.#table, fence }, writes);
  }

  /** Partitions with more entries than that, except those of days. */
  async #frequentPartitions(audit: EntryAudit, entries: number): Promise<string[]> {
    const frequent: string[] = [];
    for (const pk of audit.partitionsAbove(entries)) {
      let count = 0;
      for await (const part of streamItems(this.#table, pk, [], "entries")) count += part.length;
      if (count > entries) frequent.push(pk);
    }
    return frequent;
  }

  /** Values with dedicated indexes: those that had one, and those that are frequent. */
  async #rebuildDedicatedIndexes(partitions: ReadonlySet<string>): Promise<void> {
    const { dedicatedIndexes, unfinishedIndexes } = this.#names;
    const added = [...partitions].filter((pk) => !Object.hasOwn(dedicatedIndexes, pk));
    if (added.length > 0) {
      // Named before anything is written, so that a purge of the list finds every part.
      const unbegun = [...new Set([...unfinishedIndexes, ...added])];
      await this.#close(this.#byUpdates, { unfinishedIndexes: unbegun });
    }
    const names: Record<string, number> = { ...dedicatedIndexes };
    for (const pk of partitions) {
      const { positions } = await this.#rebuildDedicatedIndex(pk);
      // Readers wait until the indexes show the new positions.
      if (positions > 0 || names[pk] === undefined) names[pk] = this.#now.getTime();
    }
    this.#names = { dedicatedIndexes: names, unfinishedIndexes: unfinishedIndexes.filter((pk) => !partitions.has(pk)) };
  }

  async #rebuildDedicatedIndex(pk: string): Promise<ListDifferences> {
    const rules = dedicatedIndexRules(dedicatedIndex(this.#list, pk));
    const { differences } = await rebuildList(this.#table, rules, this.#options);
    for (const [name, count] of Object.entries(differences)) this.#differences[name as keyof ListDifferences] += count;
    return differences;
  }

  /** Compares and writes the counts of an order, and opens it with a new generation. */
  async #rebuildCounts(order: RebuiltOrder): Promise<void> {
    const { isCheck } = this.#options;
    const { stored, positions } = order;
    const days = positions.days();
    this.#differences.days += differentDays(stored.days, days);
    const sorted = positions.sorted();
    let writes: TransactWriteItem[] = [];
    for await (const write of stored.slotChanges(sorted, days)) {
      this.#differences.segments++;
      if (isCheck) continue;
      await this.#close(order);
      writes.push(write);
      if (writes.length < maxWrites) continue;
      await stored.commitClosed(writes);
      writes = [];
    }
    if (isCheck) return;
    if (writes.length > 0) await stored.commitClosed(writes);
    const names = order === this.#byUpdates ? this.#names : { dedicatedIndexes: {}, unfinishedIndexes: [] };
    if (stored.isStored || days.size > 0) await stored.open(days, this.#generation, names);
  }

  async #close(order: RebuiltOrder, names?: Partial<IndexNames>): Promise<void> {
    if (order.isClosed && !names) return;
    await order.stored.close(order.positions.days().keys(), this.#generation, names);
    order.isClosed = true;
  }

  /** @throws ListChangedError when the list has changed since it was read */
  async #expectUnchanged(): Promise<void> {
    for (const { stored } of this.#orders) {
      const { state } = await StoredOrder.load({ table: this.#table }, stored.order);
      if (state !== stored.state) throw new ListChangedError();
    }
  }

  get #byUpdates(): RebuiltOrder {
    const [first] = this.#orders;
    if (!first) throw new Error(`${this.#list.pk} has no such order`);
    return first;
  }

  async *#items(): AsyncGenerator<RawItem[]> {
    const positions = this.#orders.map(({ name }) => name);
    for await (const part of streamItems(this.#table, this.#list.pk, [...positions, ...this.#rules.attributes])) {
      this.#options.onProgress?.(part.length);
      yield part;
    }
  }
}

function differentDays(stored: StoredOrder["days"], expected: StoredOrder["days"]): number {
  const days = [...new Set([...stored.keys(), ...expected.keys()])];
  return days.filter((day) => {
    const [one, other] = [stored.get(day), expected.get(day)];
    return one?.allocated !== other?.allocated || one?.active !== other?.active;
  }).length;
}
