import { setImmediate } from "node:timers/promises";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { maxLagMs, type Table } from "../client.ts";
import { contentHash } from "../contentHash.ts";
import { damagedText } from "../damagedRecords.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { parsePosition } from "../keys/positions.ts";
import { isPassing, isThrottled, RetryPolicy } from "../retryOnConflict.ts";
import { computeRefillMs, maxUnitsPerPartition } from "../transactionSize.ts";
import { yearOf } from "./dayIndex.ts";
import { type Fence, transactFenced } from "./fence.ts";
import type { FingerprintGroups } from "./fingerprintGroups.ts";
import { loadOrderState, newestDayIndex, type OrderState } from "./orderState.ts";
import { segmentLeft } from "./planMoves.ts";
import { isTaken } from "./slotItems.ts";
import {
  type ComparedRecord,
  type ListStates,
  noListStates,
  type PlannedTransaction,
  type RecordChange,
  type RecordOptions,
  type StoredVersion,
  TransactionPlanner,
} from "./transactionPlanner.ts";

/** A replicated record as the API returns it, but with null in place of the dates that the writer sets. */
export interface RecordToWrite<Content extends object = Record<string, unknown>> {
  id: string;
  content: Content;
}

export interface WriteResult {
  created: number;
  changed: number;
  unchanged: number;
  rejected: { id: string; reason: "too_large" }[];
  /** The positions of the records, including the unchanged ones. */
  ranks: string[];
}

export interface WriterOptions extends RecordOptions {
  fence: Fence;
  /** Merges a record's new content with its stored content. The writer compares the result with the stored content. */
  merge?: (content: Record<string, unknown>, stored: Record<string, unknown>) => Record<string, unknown>;
  /** Fields that are computed whenever another field of a record changes. They keep their stored values until then. */
  derived?: DerivedFields;
  clock?: Clock;
  /** No transaction begins after this time, except the first transaction of each call of `write`. */
  deadline?: Date | undefined;
}

export interface DerivedFields {
  names: readonly string[];
  /**
   * @param content with any values of these fields
   * @param created when the record was stored first, ISO 8601 UTC
   */
  compute(content: Record<string, unknown>, created: string): Record<string, unknown>;
}

/** Maximum size of a record's text: DynamoDB's limit for an item, minus space for the keys and other attributes. */
const maxBodyBytes = 400 * 1024 - 1024;
/** Pauses are longer than in a request, because no caller waits for a run. */
const maxPauseMs = 5_000;

/**
 * Writes replicated records to an ordered list, for one run of replication. An unchanged record is not written, so
 * `svc_updated_date` is the time of a real change. It costs a read, or a small part of one if its fingerprint is known. A
 * transaction writes records, index entries, day indexes and bitmaps together, so readers never see a partial change. A
 * repetition changes nothing.
 */
export class RecordWriter {
  readonly #table: Table;
  readonly #list: OrderedList;
  readonly #options: WriterOptions;
  readonly #clock: Clock;
  readonly #planner: TransactionPlanner;
  /** When this writer began to write each recently written record, epoch milliseconds, the earliest first. */
  readonly #written = new Map<string, number>();
  /** Time of the list's last change before this writer began, epoch milliseconds; undefined until it is read. */
  #changedByOthers: number | undefined;
  #known: ListStates = noListStates;
  /** Write units for a transaction from one partition key: halved after throttling, doubled after each commit. */
  #maxUnits = maxUnitsPerPartition;

  hasBegun = false;

  constructor(table: Table, list: OrderedList, options: WriterOptions) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#planner = new TransactionPlanner(table, list, options, this.#clock);
  }

  /**
   * Writes a page of records. If an id occurs twice, the last record wins.
   *
   * @param fingerprints those of the run, if the page is in the order of the POS; they replace most reads
   * @throws LeaseLostError if another worker has the lease; OutOfTimeError at the deadline, after at least one attempt;
   *   ServiceError "unavailable" if all retries fail
   */
  async write(records: readonly RecordToWrite[], fingerprints?: FingerprintGroups): Promise<WriteResult> {
    const result: WriteResult = { created: 0, changed: 0, unchanged: 0, rejected: [], ranks: [] };
    const unchanged = new Map<string, { rank: string; isRead: boolean }>();
    const pending = new Map<string, RecordToWrite>();
    for (const record of records) {
      // The later record takes the later place in the order.
      pending.delete(record.id);
      pending.set(record.id, record);
    }
    const known = fingerprints && (await this.#findUnchanged([...pending.values()], fingerprints));
    for (const [id, rank] of known ?? []) {
      unchanged.set(id, { rank, isRead: false });
      pending.delete(id);
    }
    const tries = new RetryPolicy(this.#clock, { maxPauseMs, deadline: this.#options.deadline });
    let failure: unknown;
    for (let isFirst = true; pending.size > 0; isFirst = false) {
      if (!isFirst) await tries.pause(failure);
      try {
        await this.#attempt(pending, result, unchanged, !isFirst, tries);
      } catch (error) {
        if (!isPassing(error)) throw error;
        failure = error;
      }
    }
    await fingerprints?.recordPage(unchanged);
    result.unchanged = unchanged.size;
    for (const { rank } of unchanged.values()) result.ranks.push(rank);
    return result;
  }

  /**
   * Finds the records that are stored with this content, by their fingerprints: their positions by id. The known state of
   * the list follows every write of this run, and no other writer changes the list during the lease.
   */
  async #findUnchanged(
    records: readonly RecordToWrite[],
    fingerprints: FingerprintGroups,
  ): Promise<Map<string, string>> {
    const { rank } = this.#list.orders;
    try {
      await this.#loadKnown();
      const state = this.#known.orders.rank as OrderState;
      const found = await fingerprints.find(records, newestDayIndex(state)?.generation);
      const isAllocated = (position: string) => {
        const { day, slot } = parsePosition(position);
        return slot < (state.dayIndexes.get(yearOf(day))?.days.get(day)?.allocated ?? 0);
      };
      const candidates = [...found].filter(([, position]) => isAllocated(position));
      const positions = candidates.map(([, position]) => position);
      const loaded = await loadOrderState(this.#table, rank, positions, state);
      this.#known = { ...this.#known, orders: { ...this.#known.orders, rank: loaded } };
      return new Map(candidates.filter(([, position]) => isTaken(position, loaded.slots, rank.segmentSize)));
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#known = noListStates;
      return new Map();
    }
  }

  async #loadKnown(): Promise<void> {
    if (!this.#known.orders.rank) this.#known = await this.#planner.load([], this.#known);
    if (this.#changedByOthers !== undefined) return;
    const { dayIndexes } = this.#known.orders.rank as OrderState;
    this.#changedByOthers = Math.max(0, ...[...dayIndexes.values()].map(({ changedAt }) => changedAt));
  }

  /** Writes pending records until a transaction is rejected. `unchanged` receives those that are stored already. */
  async #attempt(
    pending: Map<string, RecordToWrite>,
    result: WriteResult,
    unchanged: Map<string, { rank: string; isRead: boolean }>,
    consistent: boolean,
    tries: RetryPolicy,
  ): Promise<void> {
    const compared: ComparedRecord[] = [];
    const stored = await this.#readStored([...pending.keys()], consistent || (await this.#mayLag(pending.keys())));
    for (const record of pending.values()) {
      const change = this.#compare(record, stored.get(record.id));
      if (change.stored?.hash === change.hash && change.stored.body !== damagedText) {
        unchanged.set(change.id, { rank: change.stored.rank, isRead: true });
        pending.delete(change.id);
      } else if (Buffer.byteLength(JSON.stringify(change.content)) > maxBodyBytes) {
        result.rejected.push({ id: change.id, reason: "too_large" });
        pending.delete(change.id);
      } else compared.push(change);
    }
    let changes = this.#planner.changes(compared);
    while (changes.length > 0) {
      try {
        for await (const { batch, ranks } of this.#commitAll(changes)) {
          for (const change of batch) {
            result[change.stored ? "changed" : "created"]++;
            pending.delete(change.id);
          }
          result.ranks.push(...ranks);
          tries.progressed();
        }
        return;
      } catch (error) {
        // The records are not read again: for a page of large ones, that takes more units than a transaction.
        if (!isThrottledTransaction(error)) throw error;
        changes = changes.filter(({ id }) => pending.has(id));
        await tries.pause(error, computeRefillMs(this.#maxUnits));
      }
    }
  }

  async *#commitAll(
    changes: readonly RecordChange[],
  ): AsyncGenerator<{ batch: readonly RecordChange[]; ranks: string[] }> {
    const { rank } = this.#list.orders;
    const leftBy = ({ stored }: RecordChange) => (stored ? segmentLeft(rank, stored.rank) : "");
    // Records that leave the same segment share its bitmap.
    let left = changes.toSorted((one, other) =>
      leftBy(one) < leftBy(other) ? -1 : Number(leftBy(one) > leftBy(other)),
    );
    let ahead: PlannedTransaction | undefined;
    for (let isFirst = true; left.length > 0; isFirst = false) {
      if (!isFirst) checkDeadline(this.#clock, this.#options.deadline);
      this.hasBegun = true;
      const known = this.#known;
      // If a condition fails or the outcome of the transaction is unknown, the known counts are no longer valid.
      this.#known = noListStates;
      const planned =
        ahead && this.#planner.isFresh(ahead) ? ahead : await this.#planner.plan(left, known, this.#maxUnits);
      const { batch, ranks, size } = planned;
      left = left.slice(batch.length);
      try {
        ahead = await this.#commit(planned, left);
        this.#maxUnits = Math.min(maxUnitsPerPartition, 2 * this.#maxUnits);
      } catch (error) {
        if (isThrottledTransaction(error)) this.#known = known;
        if (isThrottled(error)) this.#maxUnits = Math.ceil(size.units / 2);
        throw error;
      } finally {
        // The ids are added even if the transaction failed, because its outcome may be unknown.
        this.#remember(batch);
      }
      yield { batch, ranks };
    }
  }

  /** Whether an eventually consistent read may be outdated, so that a change back to this version would be lost. */
  async #mayLag(ids: Iterable<string>): Promise<boolean> {
    const now = this.#clock.now();
    if (this.#changedByOthers === undefined) await this.#loadKnown();
    const isRecent = (at: number) => now.getTime() - at < maxLagMs;
    return isRecent(this.#changedByOthers ?? 0) || [...ids].some((id) => isRecent(this.#written.get(id) ?? 0));
  }

  /** Remembers the time of a write as long as reads may lag behind it. */
  #remember(written: readonly RecordChange[]): void {
    const now = this.#clock.now().getTime();
    for (const { id } of written) {
      this.#written.delete(id);
      this.#written.set(id, now);
    }
    for (const [id, at] of this.#written) {
      if (now - at < maxLagMs) break;
      this.#written.delete(id);
    }
  }

  #compare({ id, content: fresh }: RecordToWrite, stored: StoredVersion | undefined): ComparedRecord {
    const { merge, derived } = this.#options;
    const isRead = (merge || derived) && stored && stored.body !== damagedText;
    const before = isRead ? JSON.parse(stored.body) : undefined;
    let content = merge && before ? merge(fresh, before) : fresh;
    if (derived) {
      const kept = { ...content, ...Object.fromEntries(derived.names.map((name) => [name, before?.[name]])) };
      const isUnchanged = stored && before && contentHash(kept) === stored.hash;
      const created = stored?.created ?? this.#clock.now().toISOString();
      content = isUnchanged ? kept : { ...content, ...derived.compute(content, created) };
    }
    return { id, content, hash: contentHash(content), stored };
  }

  async #readStored(ids: string[], consistent: boolean): Promise<Map<string, StoredVersion>> {
    // With the text, the read costs the same units, because DynamoDB charges for the whole item.
    const items = await this.#table.batchGet(
      ids.map((id) => recordKey(this.#list, id)),
      { consistent, attributes: ["body", "created", "updated", "hash", "rank", "saleRank", "customerRank"] },
    );
    return new Map([...items.values()].map((item) => [item.sk, item as unknown as StoredVersion]));
  }

  /** Commits a transaction and plans the next one in parallel; undefined if that failed, or if no changes follow. */
  async #commit(
    { writes, next }: PlannedTransaction,
    following: readonly RecordChange[],
  ): Promise<PlannedTransaction | undefined> {
    const planNext = async () => {
      // Waits one turn of the event loop, so that the request of the current transaction is sent before the planning.
      await setImmediate();
      return this.#planner.plan(following, next, this.#maxUnits);
    };
    const [committed, ahead] = await Promise.allSettled([
      transactFenced(this.#table, this.#options.fence, writes),
      following.length > 0 ? planNext() : undefined,
    ]);
    if (committed.status === "rejected") throw committed.reason;
    this.#known = next;
    return ahead.status === "fulfilled" ? ahead.value : undefined;
  }
}

/** Whether DynamoDB throttled a transaction and stored nothing: the records that were read for it are still valid. */
const isThrottledTransaction = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && isThrottled(error);
