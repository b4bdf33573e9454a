import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Clock, utcDay } from "../../time/clock.ts";
import { itemId, maxCallMs, maxClockOffsetMs, type Table, unchanged } from "../client.ts";
import type { Key } from "../keys/key.ts";
import { dedicatedIndex, type ListOrder, type OrderedList, recordKey } from "../keys/orderedLists.ts";
import { formatCustomerPosition, formatPosition } from "../keys/positions.ts";
import type { DayIndex } from "./dayIndex.ts";
import {
  extractIndexedDays,
  type IndexedFieldExtractor,
  type OrderName,
  planEntryMoves,
  toEntryAttributes,
} from "./indexEntries.ts";
import { currentDay, loadOrderState, type OrderState } from "./orderState.ts";
import type { Cost } from "./packTransactions.ts";
import { listMoveKeys, planMoves, segmentLeft } from "./planMoves.ts";
import { renderBody } from "./recordBody.ts";

/** What the records of a list are stored with. */
export interface RecordOptions {
  /** The values by which a record of this list can be found; see `entries.ts`. */
  extractIndexedFields?: IndexedFieldExtractor;
  /** The day of a record in the list's order by sale day, yyyy-MM-dd; needed where the list has that order. */
  extractSaleDay?: (record: Record<string, unknown>) => string;
  /** The customer a record belongs to, where the list is also read by customer. */
  extractCustomerId?: (record: Record<string, unknown>) => string | null | undefined;
  /** The record's JSON text; `renderBody` when absent. */
  render?: typeof renderBody;
  /** A partition, where each transaction leaves an item that names its records, for whoever has to follow them. */
  outbox?: string;
}

/** A commit must lie on the day of its stamp by any clock, so none starts closer to midnight. */
const midnightMarginMs = maxClockOffsetMs + maxCallMs;
/** A plan that has waited longer for the transaction before it is made anew, so that stamps are those of their commits. */
const maxWaitMs = 1_000;

/** Bytes of a record's item besides the text as it comes: keys, names, positions, hash and dates. */
const recordOverheadBytes = 400;
const entryBytes = 100;

/** A record beside what the table holds of it. */
export interface ComparedRecord {
  id: string;
  content: Record<string, unknown>;
  hash: string;
  stored: StoredVersion | undefined;
}

/** A change with the entries that it moves. */
export interface RecordChange extends ComparedRecord {
  entries: EntryMove[];
}

/** What becomes of an entry; where it stood among those of its value, and stands in the end, if they are a list. */
interface EntryMove {
  key: Key;
  move: "put" | "take";
  dedicatedMove?: { list: OrderedList; from: Ranks | undefined };
}

export interface StoredVersion {
  rank: string;
  saleRank?: string;
  hash: string;
  created: string;
  /** absent if the writer does not need it */
  body?: string;
}

type Ranks = { rank: string; saleRank?: string | undefined };
/** What is known of orders, of a list and of the dedicated indexes of values, by the partition of the order's day index. */
export type OrderStates = ReadonlyMap<string, OrderState>;

/** A transaction before it is committed. */
export interface PlannedTransaction {
  /** The instant of its stamp. */
  now: Date;
  writes: TransactWriteItem[];
  /** Where its records stand once it is committed. */
  ranks: string[];
  /** What is true from then on. */
  next: OrderStates;
}

/** Makes the transactions of a list's writer: what a change of its records writes, beside one another. */
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

  /**
   * Records that must be written, with the entries that they move.
   *
   * @param dedicatedIndexes partitions of the entries that are lists of their own
   */
  async changes(
    compared: readonly ComparedRecord[],
    dedicatedIndexes: DayIndex["dedicatedIndexes"] = {},
  ): Promise<RecordChange[]> {
    const { extractIndexedFields: termsOf } = this.#options;
    const changes = compared.map((one) => {
      const before = one.stored && termsOf?.(JSON.parse(one.stored.body as string));
      const entries: EntryMove[] = termsOf ? planEntryMoves(this.#list, one.id, before, termsOf(one.content)) : [];
      return { ...one, entries };
    });
    const moves = changes.flatMap(({ stored, entries }) => entries.map((move) => ({ move, isNew: !stored })));
    const own = moves.filter(({ move }) => Object.hasOwn(dedicatedIndexes, move.key.pk));
    const standing = own.flatMap(({ move, isNew }) => (isNew ? [] : [move.key]));
    const ranks = await this.#table.batchGet(standing, { consistent: true, attributes: ["rank", "saleRank"] });
    for (const { move } of own) {
      const from = ranks.get(itemId(move.key)) as Ranks | undefined;
      move.dedicatedMove = { list: dedicatedIndex(this.#list, move.key.pk), from };
    }
    return changes;
  }

  /** The maximum size that a change adds to a transaction. */
  costOf(change: RecordChange): Cost {
    const today = utcDay(this.#clock.now());
    const { rank, saleRank } = this.#list.orders;
    const to = { rank: formatPosition(today, 0), saleRank: saleRank && formatPosition(this.#saleDay(change), 0) };
    const entries = this.#entryMoves(change, to);
    const places = this.#moving([change]).flatMap(({ list, movers: [mover] }) =>
      ordersOf(list).flatMap(([name, order]) =>
        listMoveKeys(order, { from: mover?.from?.[name], to: name === "rank" ? today : this.#saleDay(change) }),
      ),
    );
    // The stored text is known only if the writer needs it. Without it, a record that shrinks can exceed the estimate.
    const texts = [JSON.stringify(change.content), change.stored?.body ?? ""];
    const bytes = Math.max(...texts.map((text) => Buffer.byteLength(text))) + recordOverheadBytes;
    return {
      items: [
        { key: recordKey(this.#list, change.id), bytes },
        ...entries.map(({ key }) => ({ key, bytes: entryBytes })),
        ...places.map((key) => ({ key, bytes: 0 })),
      ],
      group: change.stored ? segmentLeft(rank, change.stored.rank) : "",
    };
  }

  /** Whether a plan may still be committed: on the day of its stamp, and soon after it. */
  isFresh(planned: PlannedTransaction): boolean {
    const now = this.#clock.now();
    const isOfToday = utcDay(planned.now) === utcDay(now) && untilMidnight(now) > midnightMarginMs;
    return isOfToday && now.getTime() - planned.now.getTime() <= maxWaitMs;
  }

  /** Reads what is to be known of the lists for a transaction, as far as it is not. */
  async load(batch: readonly RecordChange[], known: OrderStates): Promise<OrderStates> {
    const states = this.#moving(batch).flatMap(({ list, movers }) =>
      ordersOf(list).map(([name, order]) => {
        const leaving = movers.flatMap(({ from }) => from?.[name] ?? []);
        return loadOrderState(this.#table, order, leaving, known.get(order.dayIndexPartition));
      }),
    );
    const loaded = await Promise.all(states);
    return new Map([...known, ...loaded.map((state) => [state.order.dayIndexPartition, state] as const)]);
  }

  /** Plans the transaction that stores some changes. */
  async plan(batch: readonly RecordChange[], known: OrderStates): Promise<PlannedTransaction> {
    const states = await this.load(batch, known);
    const now = await this.#awayFromMidnight();
    const day = currentDay(states.get(this.#list.orders.rank.dayIndexPartition) as OrderState, now);
    const stamp = day === utcDay(now) ? now.toISOString() : `${day}T00:00:00.000Z`;
    const next = new Map(states);
    const moved = this.#moving(batch).map(({ list, movers }) => {
      const ofOrders = ordersOf(list).map(([name, order]) => {
        const moves = movers.map(({ change, from, leaves }) => {
          const to = name === "rank" ? day : this.#saleDay(change);
          return { from: from?.[name], ...(!leaves && { to }) };
        });
        const planned = planMoves(this.#table, states.get(order.dayIndexPartition) as OrderState, moves, now);
        next.set(order.dayIndexPartition, planned.next);
        return { name, ...planned };
      });
      const places = movers.map(({ change }, i) => {
        const ranks = Object.fromEntries(ofOrders.map(({ name, ranks }) => [name, ranks[i] ?? ""]));
        return [change.id, ranks as unknown as Ranks] as const;
      });
      return { pk: list.pk, places: new Map(places), writes: ofOrders.flatMap(({ writes }) => writes) };
    });
    const places = new Map(moved.map(({ pk, places }) => [pk, places]));
    const ranks = [...(places.get(this.#list.pk)?.values() ?? [])].map(({ rank }) => rank);
    return {
      now,
      writes: [
        ...batch.flatMap((change) => this.#writesOf(change, (pk) => places.get(pk)?.get(change.id), stamp)),
        ...this.#outboxWrites(batch, ranks),
        ...moved.flatMap(({ writes }) => writes),
      ],
      ranks,
      next,
    };
  }

  /** The lists in which changes move: the list itself, and those of values; with where each change stands there. */
  #moving(batch: readonly RecordChange[]): { list: OrderedList; movers: Mover[] }[] {
    const records = batch.map((change) => ({ change, from: change.stored, leaves: false }));
    const moving = new Map([[this.#list.pk, { list: this.#list, movers: records as Mover[] }]]);
    for (const change of batch) {
      for (const { key, move, dedicatedMove: own } of change.entries) {
        if (!own) continue;
        const ofList = moving.get(key.pk) ?? { list: own.list, movers: [] };
        ofList.movers.push({ change, from: own.from, leaves: move === "take" });
        moving.set(key.pk, ofList);
      }
    }
    return [...moving.values()];
  }

  #saleDay({ content }: RecordChange): string {
    const day = this.#options.extractSaleDay?.(content);
    if (!day) throw new Error(`${this.#list.pk} is kept by sale day, which the writer was not told`);
    return day;
  }

  /** One stamp serves a whole transaction, so that `svc_updated_date` and the day of the slot are the same day. */
  async #awayFromMidnight(): Promise<Date> {
    const now = this.#clock.now();
    if (untilMidnight(now) > midnightMarginMs) return now;
    await this.#clock.sleep(untilMidnight(now));
    return this.#clock.now();
  }

  #outboxWrites(batch: readonly RecordChange[], ranks: readonly string[]): TransactWriteItem[] {
    const { outbox } = this.#options;
    // No rank is handed out twice, so the item is a new one.
    return outbox ? [this.#table.putWrite({ pk: outbox, sk: ranks[0] ?? "", ids: batch.map(({ id }) => id) })] : [];
  }

  /** The entries that a change moves, those of its days included. */
  #entryMoves({ id, stored, entries }: RecordChange, ranks: Ranks): EntryMove[] {
    return [
      ...entries,
      ...planEntryMoves(this.#list, id, stored && extractIndexedDays(stored), extractIndexedDays(ranks)),
    ];
  }

  /**
   * What stores a record and its entries.
   *
   * @param ranksIn where the record stands in the list of a partition
   */
  #writesOf(change: RecordChange, ranksIn: (pk: string) => Ranks | undefined, stamp: string): TransactWriteItem[] {
    const { render = renderBody, extractCustomerId: customerOf } = this.#options;
    const ranks = ranksIn(this.#list.pk) as Ranks;
    const customer = customerOf?.(change.content);
    const created = change.stored?.created ?? stamp;
    const item = {
      ...recordKey(this.#list, change.id),
      ...ranks,
      customerRank: customer ? formatCustomerPosition(customer, ranks.rank) : undefined,
      hash: change.hash,
      created,
      body: render(change.content, { created, updated: stamp }),
    };
    return [
      this.#table.putWrite(item, unchanged("rank", change.stored?.rank)),
      ...this.#entryMoves(change, ranks).map(({ key, move }) =>
        move === "take"
          ? this.#table.deleteWrite(key)
          : this.#table.putWrite({ ...key, ...toEntryAttributes(ranks), ...ranksIn(key.pk) }),
      ),
    ];
  }
}

/** A change in one of the lists in which it moves: from where, undefined where it is new there; or it leaves the list. */
interface Mover {
  change: RecordChange;
  from: Ranks | undefined;
  leaves: boolean;
}

function ordersOf({ orders }: OrderedList): [OrderName, ListOrder][] {
  return Object.entries(orders) as [OrderName, ListOrder][];
}

/** Milliseconds that are left of a UTC day. */
function untilMidnight(now: Date): number {
  return Date.parse(`${utcDay(now)}T24:00:00.000Z`) - now.getTime();
}
