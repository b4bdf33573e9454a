import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { log } from "../../platform/aws/log.ts";
import { type Clock, utcDay } from "../../time/clock.ts";
import { maxCallMs, maxClockOffsetMs, type Table, unchanged } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import { type ListOrder, type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { formatCustomerPosition } from "../keys/positions.ts";
import { addDigests, digestRecord, emptyDigest, type RecordDates, subtractDigests } from "../recordDigest.ts";
import { compressText } from "../recordText.ts";
import type { DayFigures } from "../salesDays/dayFigures.ts";
import {
  applyContributions,
  type CompletedDays,
  loadSalesWeeks,
  mondayOf,
  type SaleContribution,
  type SalesWeek,
  totalsWrites,
} from "../salesDays/salesWeek.ts";
import { itemBytes, maxItems, maxUnitsPerPartition, TransactionSize } from "../transactionSize.ts";
import { type IndexedFieldExtractor, type OrderName, planEntryMoves, toEntryAttributes } from "./indexEntries.ts";
import { currentDay, loadOrderState, newestDayIndex, type OrderState } from "./orderState.ts";
import { planMoves } from "./planMoves.ts";

export interface RecordOptions {
  /** The indexed fields of a record; see `indexEntries.ts`. */
  extractIndexedFields?: IndexedFieldExtractor;
  /** The day of a record in the order by sale day, yyyy-MM-dd; required if the list has an order by sale day. */
  extractSaleDay?: (record: Record<string, unknown>) => string;
  /** The figures of a sale in the totals of its day; absent if no totals are kept. */
  extractFigures?: (record: Record<string, unknown>) => DayFigures;
  /** The sales days that are complete; undefined if none is, or if no totals are kept. */
  completedDays?: CompletedDays | undefined;
  /** The customer of a record, if the list is also read by customer. */
  extractCustomerId?: (record: Record<string, unknown>) => string | null | undefined;
  render?: typeof renderBody;
  /** Partition of the outbox. Each transaction adds an item to it, with the ids of the transaction's records. */
  outbox?: string;
}

/** Minimum time from a transaction's start to midnight: by every clock, the commit must be on the day of its stamp. */
const midnightMarginMs = maxClockOffsetMs + maxCallMs;
/** Maximum age of a plan in milliseconds, so that a stamp is close to its commit. */
const maxWaitMs = 1_000;

export interface ComparedRecord {
  id: string;
  content: Record<string, unknown>;
  hash: string;
  stored: StoredVersion | undefined;
}

/** A changed record, with the index entries that the change moves. */
export interface RecordChange extends ComparedRecord {
  entries: ReturnType<typeof planEntryMoves>;
  /** What the stored version has added to the list; undefined for a new record. */
  storedContribution: SaleContribution | undefined;
  /** Whether the stored version is damaged and had another content, so that its contribution is unknown. */
  isStoredUnknown: boolean;
}

export interface StoredVersion {
  rank: string;
  saleRank?: string;
  customerRank?: string;
  hash: string;
  created: string;
  /** `svc_updated_date`, if the list has a digest and it differs from `created`: for the digest of a damaged record */
  updated?: string;
  /** the record's JSON text, decompressed, or `damagedText` */
  body: string;
}

type Ranks = { rank: string; saleRank?: string | undefined };

/** The counts and totals of a list that a writer has read or planned. */
export interface ListStates {
  orders: { readonly [Name in OrderName]?: OrderState };
  /** The totals of sales days, by the Monday of their week. */
  weeks: ReadonlyMap<string, SalesWeek>;
}

export const noListStates: ListStates = { orders: {}, weeks: new Map() };

export interface PlannedTransaction {
  batch: readonly RecordChange[];
  /** The time of planning; the stamp of the records follows from it. */
  now: Date;
  writes: TransactWriteItem[];
  size: TransactionSize;
  /** The positions of the transaction's records after the commit. */
  ranks: string[];
  next: ListStates;
}

/** Plans the transactions of a list's writer: records, index entries, outbox items, day indexes, bitmaps and totals. */
export class TransactionPlanner {
  readonly #table: Table;
  readonly #list: OrderedList;
  readonly #options: RecordOptions;
  readonly #clock: Clock;

  constructor(table: Table, list: OrderedList, options: RecordOptions, clock: Clock) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#clock = clock;
  }

  /** Adds to each record the index entries that its change moves, and what its stored version adds to the list. */
  changes(compared: readonly ComparedRecord[]): RecordChange[] {
    const termsOf = (record: Record<string, unknown>) => this.#options.extractIndexedFields?.(record) ?? [];
    return compared.map((one) => {
      const stored = this.#storedRecord(one);
      return {
        ...one,
        entries: planEntryMoves(this.#list, one.id, stored ? termsOf(stored) : [], termsOf(one.content)),
        storedContribution: stored && this.#contributionOf(one.id, stored),
        isStoredUnknown: one.stored !== undefined && stored === undefined,
      };
    });
  }

  /** The stored version; undefined if new or unknown. A damaged version with the same `hash` had this `content`. */
  #storedRecord({ stored, content, hash }: ComparedRecord): Record<string, unknown> | undefined {
    if (!stored) return undefined;
    if (stored.body !== damagedText) return JSON.parse(stored.body);
    if (stored.hash !== hash) return undefined;
    const { render = renderBody } = this.#options;
    return JSON.parse(render(content, { created: stored.created, updated: stored.updated ?? stored.created }));
  }

  /** Whether a plan may still be committed: it is recent, and the commit will be on the day of its stamp. */
  isFresh(planned: PlannedTransaction): boolean {
    const now = this.#clock.now();
    const isOfToday = utcDay(planned.now) === utcDay(now) && untilMidnight(now) > midnightMarginMs;
    return isOfToday && now.getTime() - planned.now.getTime() <= maxWaitMs;
  }

  /** Returns the states that a transaction needs. Reads only the states that are not in `known`. */
  async load(batch: readonly RecordChange[], known: ListStates): Promise<ListStates> {
    const { totalsPartition = "" } = this.#list;
    const orders = ordersOf(this.#list).map(async ([name, order]) => {
      const leaving = batch.flatMap(({ stored }) => stored?.[name] ?? []);
      return [name, await loadOrderState(this.#table, order, leaving, known.orders[name])];
    });
    const daysOf = ({ content, storedContribution: stored }: RecordChange) =>
      this.#hasTotals ? [this.#saleDay(content), ...(stored ? [stored.day] : [])] : [];
    const missing = new Set(batch.flatMap(daysOf).map(mondayOf)).difference(known.weeks);
    const [weeks, ...loaded] = await Promise.all([loadSalesWeeks(this.#table, totalsPartition, missing), ...orders]);
    return { orders: Object.fromEntries(loaded), weeks: new Map([...known.weeks, ...weeks]) };
  }

  /** Plans a transaction of the first changes that fit, at least one. @param maxUnits maximum from one partition key */
  async plan(
    changes: readonly RecordChange[],
    known: ListStates,
    maxUnits = maxUnitsPerPartition,
  ): Promise<PlannedTransaction> {
    let batch = changes.slice(0, maxItems);
    while (batch.length > 1 && itemsOf(batch) > maxItems) batch = batch.slice(0, -1);
    const states = await this.load(batch, known);
    const now = await this.#awayFromMidnight();
    for (;;) {
      const { writes: shared, places, stamp, next } = this.#planShared(batch, states, now);
      const items = shared.length + itemsOf(batch);
      // Fewer changes also share fewer writes.
      if (items > maxItems && batch.length > 1) {
        batch = batch.slice(0, Math.max(1, Math.floor((batch.length * maxItems) / items)));
        continue;
      }
      const size = new TransactionSize(maxUnits);
      size.add(shared);
      const own: TransactWriteItem[][] = [];
      for (const [i, change] of batch.entries()) {
        const { writes, replaced } = this.#writesOf(change, places[i] as Ranks, stamp);
        if (!size.add(writes, { replaced, isRequired: i === 0 })) break;
        own.push(writes);
      }
      if (own.length < batch.length) {
        batch = batch.slice(0, own.length);
        continue;
      }
      if (this.#isUnknown(batch)) log.error("a damaged record has changed: rebuild the list", { pk: this.#list.pk });
      const ranks = places.map(({ rank }) => rank);
      return { now, batch, writes: [...own.flat(), ...shared], size, ranks, next };
    }
  }

  /** Plans the writes that the changes of a transaction share: all but those of the records and their entries. */
  #planShared(batch: readonly RecordChange[], states: ListStates, now: Date) {
    const day = currentDay(states.orders.rank as OrderState, now);
    const stamp = day === utcDay(now) ? now.toISOString() : `${day}T00:00:00.000Z`;
    const contributions = batch.map((change) => {
      const created = change.stored?.created ?? stamp;
      const hasUpdated = "svc_updated_date" in change.content;
      const dates = { svc_created_date: created, ...(hasUpdated && { svc_updated_date: stamp }) };
      return { from: change.storedContribution, to: this.#contributionOf(change.id, change.content, dates) };
    });
    const digestChange = contributions.reduce(
      (sum, { from, to }) => subtractDigests(addDigests(sum, to.digest), from?.digest ?? emptyDigest),
      emptyDigest,
    );
    const isUnknown = this.#isUnknown(batch);
    const newest = newestDayIndex(states.orders.rank as OrderState);
    // Without a digest of the list, the totals would lack stored sales.
    const hasTotals = this.#hasTotals && !isUnknown && (!newest || newest.digest);
    const { completedDays, outbox } = this.#options;
    const weeks = applyContributions(states.weeks, hasTotals ? contributions : [], stamp, completedDays);
    const moved = ordersOf(this.#list).map(([name]) => {
      const moves = batch.map((change) => ({
        from: change.stored?.[name],
        to: name === "rank" ? day : this.#saleDay(change.content),
      }));
      const state = states.orders[name] as OrderState;
      return { name, ...planMoves(this.#table, state, moves, now, isUnknown ? null : digestChange) };
    });
    const places = batch.map(
      (_, i) => Object.fromEntries(moved.map(({ name, ranks }) => [name, ranks[i] ?? ""])) as unknown as Ranks,
    );
    const totals = totalsWrites(this.#table, this.#list.totalsPartition ?? "", states.weeks, weeks);
    const writes = [...moved.flatMap((one) => one.writes), ...totals];
    // The range key is the transaction's first position. No position is allocated twice, so the item is always new.
    const note = { sk: places[0]?.rank ?? "", ids: batch.map(({ id }) => id) };
    if (outbox) writes.unshift(this.#table.putWrite({ pk: outbox, ...note }));
    const orders = Object.fromEntries(moved.map(({ name, next }) => [name, next]));
    return { writes, places, stamp, next: { orders, weeks: new Map([...states.weeks, ...weeks]) } };
  }

  /** Whether it is unknown what the changes take from the digest and the totals of the list. */
  #isUnknown(batch: readonly RecordChange[]): boolean {
    return this.#list.orders.rank.hasDigest && batch.some(({ isStoredUnknown }) => isStoredUnknown);
  }

  get #hasTotals(): boolean {
    return this.#list.totalsPartition !== undefined && this.#options.extractFigures !== undefined;
  }

  /** What a version of a record adds to the digest of the list, and to the totals of its day if they are kept. */
  #contributionOf(id: string, record: Record<string, unknown>, dates: RecordDates = record): SaleContribution {
    const digest = digestRecord(id, dates);
    const figures = this.#hasTotals ? this.#options.extractFigures?.(record) : undefined;
    return { day: figures ? this.#saleDay(record) : "", figures: figures ?? {}, digest };
  }

  #saleDay(record: Record<string, unknown>): string {
    const day = this.#options.extractSaleDay?.(record);
    if (!day) throw new Error(`${this.#list.pk} has an order by sale day, but the written record has no sale day`);
    return day;
  }

  /** Returns the current time, but waits if midnight is near: `svc_updated_date` must be on the day of the position. */
  async #awayFromMidnight(): Promise<Date> {
    const now = this.#clock.now();
    if (untilMidnight(now) > midnightMarginMs) return now;
    await this.#clock.sleep(untilMidnight(now));
    return this.#clock.now();
  }

  /** The writes of a record and its entries, the record first, and the size of its stored version in bytes. */
  #writesOf(change: RecordChange, ranks: Ranks, stamp: string): { writes: TransactWriteItem[]; replaced: number } {
    const { extractCustomerId: customerOf, render = renderBody } = this.#options;
    const customer = customerOf?.(change.content);
    const created = change.stored?.created ?? stamp;
    const isDated = this.#list.orders.rank.hasDigest && "svc_updated_date" in change.content;
    const item = {
      ...recordKey(this.#list, change.id),
      ...ranks,
      customerRank: customer ? formatCustomerPosition(customer, ranks.rank) : undefined,
      hash: change.hash,
      created,
      updated: isDated && stamp !== created ? stamp : undefined,
      body: compressText(render(change.content, { created, updated: stamp })),
    };
    const attributes = toEntryAttributes(this.#list, ranks);
    const writes = [
      this.#table.putWrite(item, unchanged("rank", change.stored?.rank)),
      ...change.entries.map(({ key, isPut }) =>
        isPut ? this.#table.putWrite({ ...key, ...attributes }) : this.#table.deleteWrite(key),
      ),
    ];
    const { stored } = change;
    const replaced = stored ? itemBytes({ ...item, ...stored, body: compressText(stored.body) }) : 0;
    return { writes, replaced };
  }
}

/** The number of items of these changes: records and index entries. */
const itemsOf = (changes: readonly RecordChange[]): number =>
  changes.reduce((sum, { entries }) => sum + 1 + entries.length, 0);

export const ordersOf = ({ orders }: OrderedList): [OrderName, ListOrder][] =>
  Object.entries(orders) as [OrderName, ListOrder][];

/** Renders the record's JSON text, byte for byte as callers get it, with the dates that the service sets. */
export function renderBody(content: Record<string, unknown>, dates: { created: string; updated: string }): string {
  const record = { ...content };
  if ("svc_created_date" in record) record.svc_created_date = dates.created;
  if ("svc_updated_date" in record) record.svc_updated_date = dates.updated;
  return JSON.stringify(record);
}

const untilMidnight = (now: Date): number => Date.parse(`${utcDay(now)}T24:00:00.000Z`) - now.getTime();
