import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Clock, utcDay } from "../../time/clock.ts";
import type { RawItem, Table } from "../client.ts";
import { indexingOf } from "../indexingOptions.ts";
import { isRecordPartition, type OrderedList } from "../keys/orderedLists.ts";
import { formatCustomerPosition, numberToPosition } from "../keys/positions.ts";
import { type Fence, transactFenced } from "../orderedList/fence.ts";
import { ordersOf } from "../orderedList/transactionPlanner.ts";
import { isUnmet, retryOnConflict, retryOnOutage } from "../retryOnConflict.ts";
import { EntryRebuild } from "./entryRebuild.ts";
import { dayOf, isDamaged, recordOf } from "./listRules.ts";
import { OrderRebuild } from "./orderRebuild.ts";
import { retryOptions, streamItems } from "./streamItems.ts";
import { TotalsRebuild } from "./totalsRebuild.ts";

export const noDifferences = {
  /** Derived records that differ from their source records. `rebuildList` does not compare derived records. */
  records: 0,
  /** Records that have no position in an order, a wrong position, or the position of another record. */
  positions: 0,
  /** Days with wrong counts, wrong items of empty sequence numbers, and orders with broken day indexes. */
  counts: 0,
  /** Index entries that are missing, belong to no record, or have a wrong position. */
  entries: 0,
  /** Sales days whose totals differ from those of their sales. */
  salesDays: 0,
  /** 1 if the digest of the list is missing, or differs from that of its records; otherwise 0. */
  digests: 0,
  /** Damaged records. A rebuild does not repair them. */
  damaged: 0,
};

export interface ListReport {
  size: number;
  differences: typeof noDifferences;
}

export const hasDifferences = ({ differences }: Pick<ListReport, "differences">): boolean =>
  Object.values(differences).some((count) => count > 0);

export interface RebuildOptions {
  /** The lease under which the list is written; absent for a list without a lease. */
  fence?: Fence | undefined;
  clock: Clock;
  isCheck?: boolean | undefined;
  /** Called with the number of records that were read since the last call. The list may be read several times. */
  onProgress?: (records: number) => void;
}

/** Another writer has changed the list, or is rebuilding it. */
class ListChangedError extends Error {
  override readonly name = "ListChangedError";
}

const maxConflicts = 5;
/** Maximum number of writes in a transaction, in addition to the check of the fence and the check of a day index. */
const maxWrites = 98;

/**
 * Compares a list with its records. Unless `isCheck` is set, also writes everything that differs, and gives the list a new
 * generation, so that older cursors begin again. A record without a valid position gets the next one of its day.
 *
 * If positions or counts differ, the list is closed first: readers and writers get 503 until the last transaction. After an
 * interruption it is closed, or has its former counts, and the next rebuild finishes the work. Needs about 80 bytes of
 * memory per record.
 *
 * @throws LeaseLostError; ListChangedError if the list changes during each of several attempts; ServiceError "unavailable"
 *   if the table cannot be reached
 */
export async function rebuildList(table: Table, list: OrderedList, options: RebuildOptions): Promise<ListReport> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await new ListRebuild(table, list, options).run();
    } catch (error) {
      // Under a lease, the change was the rebuild's own write, whose response was lost.
      if (!(error instanceof ListChangedError) || conflicts === maxConflicts) throw error;
    }
  }
}

class ListRebuild {
  readonly #table: Table;
  readonly #list: OrderedList;
  readonly #options: RebuildOptions;
  readonly #now: Date;
  #orders: OrderRebuild[] = [];
  #totals!: TotalsRebuild;
  #entries!: EntryRebuild;
  /** The check that the list is closed by this rebuild; none before. */
  #isClosed: TransactWriteItem[] = [];

  constructor(table: Table, list: OrderedList, options: RebuildOptions) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#now = options.clock.now();
  }

  async run(): Promise<ListReport> {
    this.#orders = await this.#loadOrders();
    let report = await this.#readRecords();
    const { positions } = report.differences;
    if (!this.#options.isCheck && positions > 0) {
      await this.#close();
      await this.#moveRecords();
      report = await this.#readRecords();
    }
    const { size, differences } = report;
    differences.positions = positions;
    await this.#rebuildCounts(differences);
    await this.#rebuildEntries(differences);
    const { days, writes } = await this.#totals.changes(this.#table, this.#now.toISOString());
    differences.salesDays = days;
    await this.#write(writes);
    if (!this.#options.isCheck) await this.#open();
    else if (stateOf(await this.#loadOrders()) !== stateOf(this.#orders)) throw new ListChangedError();
    return { size, differences };
  }

  #loadOrders(): Promise<OrderRebuild[]> {
    return Promise.all(ordersOf(this.#list).map(([name, order]) => OrderRebuild.load(this.#table, name, order)));
  }

  async #readRecords(): Promise<ListReport> {
    this.#totals = new TotalsRebuild(this.#list);
    this.#entries = new EntryRebuild(this.#list);
    const differences = { ...noDifferences };
    let size = 0;
    for (const order of this.#orders) order.restart();
    for await (const part of this.#items()) {
      size += part.length;
      for (const item of part) {
        for (const order of this.#orders) order.add(item, dayOf(this.#list, item, order.name), utcDay(this.#now));
        this.#totals.add(item);
        this.#entries.add(item);
        if (isDamaged(item)) differences.damaged++;
        if (item.customerRank?.S !== this.#customerRank(item, item.rank?.S)) differences.positions++;
      }
    }
    const [byUpdates] = this.#orders;
    for (const order of this.#orders) {
      // The sales of a day have the order of their updates (`openMatches.ts`).
      differences.positions += order.place(order === byUpdates ? undefined : byUpdates?.numbers);
    }
    return { size, differences };
  }

  async #moveRecords(): Promise<void> {
    let i = 0;
    for await (const part of this.#items()) await this.#write(part.flatMap((item) => this.#moveWrite(item, i++)));
  }

  /** The write that gives a record its positions; none if it has them. @param i its place among all records */
  #moveWrite(item: RawItem, i: number): TransactWriteItem[] {
    const placed = this.#orders.map(({ name, numbers }) => [name, numberToPosition(numbers[i] as number)] as const);
    const customerRank = this.#customerRank(item, placed[0]?.[1]);
    const ranks = [...placed, ...(customerRank ? [["customerRank", customerRank] as const] : [])];
    if (item.customerRank?.S === customerRank && ranks.every(([name, rank]) => item[name]?.S === rank)) return [];
    const change = {
      expression: `SET ${ranks.map(([name]) => `#${name} = :${name}`)}${customerRank ? "" : " REMOVE customerRank"}`,
      names: Object.fromEntries(ranks.map(([name]) => [`#${name}`, name])),
      values: Object.fromEntries(ranks.map(([name, rank]) => [`:${name}`, rank])),
    };
    return [this.#table.updateWrite({ pk: this.#list.pk, sk: item.sk?.S ?? "" }, change, "attribute_exists(pk)")];
  }

  /** The expected position of an item in the index by customer; undefined if it has none there. */
  #customerRank(item: RawItem, rank: string | undefined): string | undefined {
    const { extractCustomerId } = indexingOf(this.#list);
    if (!extractCustomerId || isDamaged(item)) return item.customerRank?.S;
    const customer = extractCustomerId(recordOf(item));
    return customer && rank ? formatCustomerPosition(customer, rank) : undefined;
  }

  async #rebuildCounts(differences: ListReport["differences"]): Promise<void> {
    const writes: TransactWriteItem[] = [];
    for (const order of this.#orders) {
      writes.push(...(await order.slotWrites(this.#table)));
      differences.counts += order.wrongDays + (order.isBroken ? 1 : 0);
    }
    differences.counts += writes.length;
    const { digest } = this.#totals;
    const [byUpdates] = this.#orders;
    if (byUpdates?.isStored && digest?.join() !== byUpdates.digest?.join()) differences.digests = 1;
    if (this.#options.isCheck || differences.counts === 0) return;
    await this.#close();
    await this.#write(writes);
  }

  async #rebuildEntries(differences: ListReport["differences"]): Promise<void> {
    for await (const deletions of this.#entries.staleEntries(this.#table)) {
      differences.entries += deletions.length;
      await this.#write(deletions);
    }
    const { missing } = this.#entries;
    differences.entries += missing;
    if (missing === 0 || this.#options.isCheck) return;
    for await (const part of this.#items()) {
      const entries = part.flatMap((item) => this.#entries.missingOf(item));
      await this.#write(entries.map((entry) => this.#table.putWrite(entry)));
    }
  }

  async #close(): Promise<void> {
    if (this.#isClosed.length > 0) return;
    await this.#write(this.#orders.flatMap((order) => order.closeWrites(this.#table, this.#generation)));
    const closed = this.#orders.find(({ isStored }) => isStored);
    this.#isClosed = closed ? [closed.isClosed(this.#table)] : [];
  }

  async #open(): Promise<void> {
    this.#isClosed = [];
    const digests = { rank: this.#totals.digest, saleRank: undefined };
    const generation = this.#generation;
    // The order of updates comes last, because its new generation marks the end of the rebuild.
    await this.#write(
      this.#orders.toReversed().flatMap((order) => order.openWrites(this.#table, generation, digests[order.name])),
    );
  }

  get #generation(): number {
    return Math.max(this.#now.getTime(), ...this.#orders.map(({ generation }) => generation + 1));
  }

  /** @throws ListChangedError if the condition of any write does not hold; LeaseLostError */
  async #write(writes: readonly TransactWriteItem[]): Promise<void> {
    const { clock, isCheck, fence } = this.#options;
    for (let i = 0; !isCheck && i < writes.length; i += maxWrites) {
      const part = [...this.#isClosed, ...writes.slice(i, i + maxWrites)];
      const commit = async () => {
        try {
          await (fence ? transactFenced(this.#table, fence, part) : this.#table.transact(part));
        } catch (error) {
          throw part.some((_, write) => isUnmet(error, write + (fence ? 1 : 0))) ? new ListChangedError() : error;
        }
      };
      await retryOnOutage(clock, () => retryOnConflict(clock, commit, retryOptions), retryOptions);
    }
  }

  async *#items(): AsyncGenerator<RawItem[]> {
    const ofRecords = isRecordPartition(this.#list.pk) ? ["body", "hash", "created", "updated", "customerRank"] : [];
    const names = [...this.#orders.map(({ name }) => name), ...ofRecords];
    for await (const part of streamItems(this.#table, this.#list.pk, names)) {
      this.#options.onProgress?.(part.length);
      yield part;
    }
  }
}

const stateOf = (orders: readonly OrderRebuild[]) => orders.map(({ state }) => state).join();
