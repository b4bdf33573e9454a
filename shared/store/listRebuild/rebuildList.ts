import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Clock } from "../../time/clock.ts";
import type { RawItem, Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import type { Fence } from "../orderedList/fence.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import { EntryAudit } from "./entryAudit.ts";
import { deleteEntry } from "./entryWrites.ts";
import { expectedCustomerRank, isDamaged, type ListRules } from "./listRules.ts";
import { Positions } from "./positions.ts";
import { commitIfUnchanged, ListChangedError, maxWrites, StoredOrder } from "./storedOrder.ts";
import { streamItems } from "./streamItems.ts";
import { TotalsAudit } from "./totalsAudit.ts";

/** Counts of the differences between a list and its records. */
interface ListDifferences {
  /**
   * Derived records that differ from their source records. `rebuildList` does not compare derived records, so it
   * returns 0.
   */
  records: number;
  /** Records that have no position in an order, a wrong position, or the position of another record. */
  positions: number;
  /** Days with wrong counts, in all orders. */
  days: number;
  /** Items of empty sequence numbers that are missing, wrong or stale. */
  segments: number;
  /** Orders whose day indexes are of different states, or are closed by an interrupted rebuild. */
  dayIndexes: number;
  /**
   * Expected index entries that are not stored. If the stored entry has wrong positions, the expected entry counts as
   * missing.
   */
  missingEntries: number;
  /** Index entries that belong to no record, or have the wrong positions. */
  surplusEntries: number;
  /** Sales days whose totals differ from those of their sales. */
  salesDays: number;
  /** 1 if the digest of the list is missing, or differs from that of its records; otherwise 0. */
  digests: number;
  /** Damaged records. A rebuild does not repair them. */
  damaged: number;
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
  salesDays: 0,
  digests: 0,
  damaged: 0,
};

export interface RebuildOptions {
  /** The lease under which the list is written; absent for a list without a lease. */
  fence?: Fence;
  clock: Clock;
  /** Only compare the list, do not write. */
  isCheck?: boolean;
  /**
   * Called with the number of records that were read since the last call. Records are counted several times, because
   * the list is read several times.
   */
  onProgress?: (records: number) => void;
}

const maxConflicts = 5;

/**
 * Compares a list with its records. Unless `isCheck` is set, also rebuilds the parts that differ: positions, the counts
 * of days, empty sequence numbers, index entries, the digest, totals of sales days. Records keep their
 * positions. A record without a valid position gets the next position of its day.
 *
 * If the changes need several transactions, the rebuild closes the list first: readers and writers get 503 until all
 * changes are stored. The last transaction opens the list and gives it a new generation, so that callers with older
 * cursors start from the beginning. An interrupted rebuild leaves the list unchanged or closed, and the next rebuild
 * finishes the work.
 *
 * Reads the list two to four times, and needs about 60 bytes of memory per record.
 *
 * @returns the differences. A wrong position can also cause differences of its day, its segment and its index entries
 * @throws LeaseLostError; ListChangedError if the list changes during each of several attempts; ServiceError
 *   "unavailable" if the table cannot be reached
 */
export async function rebuildList(table: Table, rules: ListRules, options: RebuildOptions): Promise<ListReport> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await new ListRebuild(table, rules, options).run();
    } catch (error) {
      // Under a lease, no other writer can have changed the list: the change was the rebuild's own write, whose
      // response was lost.
      if (!(error instanceof ListChangedError) || conflicts === maxConflicts) throw error;
    }
  }
}

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
  #generation = 0;
  #totals: TotalsAudit;

  constructor(table: Table, rules: ListRules, options: RebuildOptions) {
    this.#table = table;
    this.#rules = rules;
    this.#list = rules.list;
    this.#options = options;
    this.#now = options.clock.now();
    this.#totals = new TotalsAudit(table, rules);
  }

  async run(): Promise<ListReport> {
    const { isCheck = false } = this.#options;
    await this.#load();
    await this.#placeRecords();
    if (this.#rules.finding) await this.#rebuildEntries();
    await this.#rebuildTotals();
    // The order of updates comes last, because its new generation marks the end of the rebuild.
    for (const order of this.#orders.toReversed()) await this.#rebuildCounts(order);
    if (isCheck) await this.#expectUnchanged();
    return { size: this.#size, differences: this.#differences };
  }

  async #load(): Promise<void> {
    const writer = { table: this.#table, fence: this.#options.fence };
    for (const [name, order] of Object.entries(this.#list.orders) as [OrderName, StoredOrder["order"]][]) {
      const stored = await StoredOrder.load(writer, order);
      const positions = new Positions(this.#rules, name, this.#now);
      this.#orders.push({ name, stored, positions, isClosed: false });
      if (stored.isBroken) this.#differences.dayIndexes++;
      this.#generation = Math.max(this.#generation, this.#now.getTime(), (stored.generation ?? 0) + 1);
    }
  }

  /** Reads the positions of all records, and allocates new positions to records without a valid position. */
  async #placeRecords(): Promise<void> {
    let wrongCustomers = 0;
    for await (const part of this.#items()) {
      this.#size += part.length;
      for (const item of part) {
        for (const { positions } of this.#orders) positions.add(item);
        this.#totals.add(item);
        if (isDamaged(item)) this.#differences.damaged++;
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
    // The orders are closed, because pages would omit moved records until the days are counted again. Wrong positions
    // in the index by customer close no order, because no count depends on them.
    for (const order of moving) await this.#close(order);
    const [closed] = moving;
    const commit = (writes: readonly TransactWriteItem[]) =>
      closed ? closed.stored.commitClosed(writes) : this.#commit(writes);
    for await (const part of this.#items()) {
      const writes = part.flatMap((item) => this.#moveWrite(item) ?? []);
      for (let i = 0; i < writes.length; i += maxWrites) await commit(writes.slice(i, i + maxWrites));
    }
  }

  /** The write that moves a record to its new positions; undefined if its positions do not change. */
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
    // In a list that is not read by customer, the attribute `customerRank` stays unchanged.
    if (!this.#rules.finding?.extractCustomerId) return item.customerRank?.S;
    return rank === undefined ? undefined : expectedCustomerRank(this.#rules, item, rank);
  }

  async #rebuildEntries(): Promise<void> {
    const audit = new EntryAudit(this.#table, this.#rules);
    for await (const part of this.#items()) for (const item of part) audit.add(item);
    audit.finish();
    for await (const entries of audit.surplus(this.#items())) {
      this.#differences.surplusEntries += entries.length;
      await this.#writeEntries(entries.map((entry) => deleteEntry(this.#table, entry)));
    }
    this.#differences.missingEntries += audit.missing;
    if (audit.missing > 0 && !this.#options.isCheck) {
      for await (const part of this.#items()) {
        const entries = part.flatMap((item) => audit.missingOf(item));
        await this.#writeEntries(entries.map((entry) => this.#table.putWrite({ ...entry })));
      }
    }
  }

  async #rebuildTotals(): Promise<void> {
    const { digest } = this.#totals;
    const { stored } = this.#byUpdates;
    if (stored.isStored && digest && stored.digest?.join() !== digest.join()) this.#differences.digests++;
    const { days, writes } = await this.#totals.changes(this.#now.toISOString());
    this.#differences.salesDays += days;
    if (this.#options.isCheck) return;
    for (let i = 0; i < writes.length; i += maxWrites) await this.#commit(writes.slice(i, i + maxWrites));
  }

  async #writeEntries(writes: readonly TransactWriteItem[]): Promise<void> {
    if (this.#options.isCheck) return;
    for (let i = 0; i < writes.length; i += maxWrites) await this.#commit(writes.slice(i, i + maxWrites));
  }

  /**
   * Commits writes that leave the counts of the list as they are.
   *
   * @param writes `maxWrites` at most
   * @throws ListChangedError if the condition of any write does not hold
   */
  async #commit(writes: readonly TransactWriteItem[]): Promise<void> {
    const { fence } = this.#options;
    if (!fence) throw new Error(`${this.#list.pk} has index entries but no lease`);
    await commitIfUnchanged({ table: this.#table, fence }, writes);
  }

  /**
   * Compares the counts of an order. Unless `isCheck` is set, also writes them and opens the order with a new
   * generation.
   */
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
    if (!stored.isStored && days.size === 0) return;
    await stored.open(days, this.#generation, order === this.#byUpdates ? this.#totals.digest : undefined);
  }

  async #close(order: RebuiltOrder): Promise<void> {
    if (order.isClosed) return;
    await order.stored.close(order.positions.days().keys(), this.#generation);
    order.isClosed = true;
  }

  /** @throws ListChangedError if the list has changed since it was read */
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
