import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type Clock, utcDay } from "../../time/clock.ts";
import { itemId, type Table, unchanged } from "../client.ts";
import { customerRankOf, type RankedList, type RankOrder, rankOf, recordKey } from "../keys.ts";
import { renderBody } from "./body.ts";
import { dayTerms, entryMoves, entryPlaces, type TermsOf } from "./entries.ts";
import { chapterLeft, itemsOfMove, planMoves } from "./planMoves.ts";
import { entryDay, loadRanks, type RankState } from "./rankState.ts";

/** What the records of a list are stored with. */
export interface RecordOptions {
  /** The values by which a record of this list can be found; see `entries.ts`. */
  termsOf?: TermsOf;
  /** The day of a record in the list's order by sale day, yyyy-MM-dd; needed where the list has that order. */
  saleDayOf?: (record: Record<string, unknown>) => string;
  /** The customer a record belongs to, where the list is also read by customer. */
  customerOf?: (record: Record<string, unknown>) => string | null | undefined;
  /** The record's JSON text; `renderBody` when absent. */
  render?: typeof renderBody;
  /** A partition, where each transaction leaves an item that names its records, for whoever has to follow them. */
  outbox?: string;
}

/** A commit that takes this long must still lie on the day of its stamp, so none starts closer to midnight. */
const midnightMargin = 3_000;
/** A plan that has waited longer for the transaction before it is made anew, so that stamps are those of their commits. */
const mostWait = 1_000;

/** A record beside what the table holds of it. */
export interface Compared {
  id: string;
  content: Record<string, unknown>;
  hash: string;
  stored: Stored | undefined;
}

/** A change with the entries that it moves. */
export interface Change extends Compared {
  entries: ReturnType<typeof entryMoves>;
}

export interface Stored {
  rank: string;
  saleRank?: string;
  hash: string;
  created: string;
  body: string;
}

type OrderName = keyof RankedList["orders"];
type Ranks = { rank: string; saleRank: string | undefined };
type States = { rank: RankState; saleRank?: RankState };
/** What is known of a list's orders. */
export type Known = Partial<Record<OrderName, RankState>>;

/** A transaction before it is committed. */
export interface Planned {
  /** The instant of its stamp. */
  now: Date;
  writes: TransactWriteItem[];
  /** Where its records stand once it is committed. */
  ranks: string[];
  /** What is true from then on. */
  next: States;
}

/** Makes the transactions of a list's writer: what a change of its records writes, beside one another. */
export class TransactionPlanner {
  readonly #table: Table;
  readonly #list: RankedList;
  readonly #options: RecordOptions;
  readonly #clock: Clock;

  constructor(table: Table, list: RankedList, options: RecordOptions, clock: Clock) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#clock = clock;
  }

  /** A record that must be written, with the entries that it moves. */
  change(compared: Compared): Change {
    const { termsOf } = this.#options;
    const { id, content, stored } = compared;
    const before = stored && termsOf?.(JSON.parse(stored.body));
    return { ...compared, entries: termsOf ? entryMoves(this.#list, id, before, termsOf(content)) : [] };
  }

  /** Ids of the items that a change brings into a transaction, as many as it can be. */
  itemsOf(change: Change): { ids: string[]; bytes: number; group: string } {
    const today = utcDay(this.#clock.now());
    const { rank, saleRank } = this.#list.orders;
    const to = { rank: rankOf(today, 0), saleRank: saleRank && rankOf(this.#saleDay(change), 0) };
    const entries = this.#entryMoves(change, to);
    const places = [
      ...itemsOfMove(rank, { from: change.stored?.rank, to: today }),
      ...(saleRank ? itemsOfMove(saleRank, { from: change.stored?.saleRank, to: this.#saleDay(change) }) : []),
    ];
    return {
      ids: [change.id, ...[...entries.map(({ key }) => key), ...places].map(itemId)],
      bytes: Buffer.byteLength(JSON.stringify(change.content)) + 400 + entries.length * 100,
      group: change.stored ? chapterLeft(rank, change.stored.rank) : "",
    };
  }

  /** Whether a plan may still be committed: on the day of its stamp, and soon after it. */
  isFresh(planned: Planned): boolean {
    const now = this.#clock.now();
    const isOfToday = utcDay(planned.now) === utcDay(now) && untilMidnight(now) > midnightMargin;
    return isOfToday && now.getTime() - planned.now.getTime() <= mostWait;
  }

  /** Reads what is to be known of the list for a transaction, as far as it is not. */
  async load(batch: readonly Change[], known: Known): Promise<States> {
    const load = (name: OrderName, order: RankOrder) =>
      loadRanks(
        this.#table,
        order,
        batch.flatMap(({ stored }) => stored?.[name] ?? []),
        known[name],
      );
    const { rank, saleRank } = this.#list.orders;
    const [ranks, saleRanks] = await Promise.all([load("rank", rank), saleRank && load("saleRank", saleRank)]);
    return { rank: ranks, ...(saleRanks && { saleRank: saleRanks }) };
  }

  /** Plans the transaction that stores some changes. */
  async plan(batch: readonly Change[], known: Known): Promise<Planned> {
    const { rank, saleRank } = await this.load(batch, known);
    const now = await this.#awayFromMidnight();
    const day = entryDay(rank, now);
    const stamp = day === utcDay(now) ? now.toISOString() : `${day}T00:00:00.000Z`;
    const moved = planMoves(
      this.#table,
      rank,
      batch.map(({ stored }) => ({ from: stored?.rank, to: day })),
      now,
    );
    const saleMoved =
      saleRank &&
      planMoves(
        this.#table,
        saleRank,
        batch.map((change) => ({ from: change.stored?.saleRank, to: this.#saleDay(change) })),
        now,
      );
    const writes = batch.flatMap((change, i) =>
      this.#writesOf(change, { rank: moved.ranks[i] ?? "", saleRank: saleMoved?.ranks[i] }, stamp),
    );
    return {
      now,
      writes: [...writes, ...this.#outboxWrites(batch, moved.ranks), ...moved.writes, ...(saleMoved?.writes ?? [])],
      ranks: moved.ranks,
      next: { rank: moved.next, ...(saleMoved && { saleRank: saleMoved.next }) },
    };
  }

  #saleDay({ content }: Change): string {
    const day = this.#options.saleDayOf?.(content);
    if (!day) throw new Error(`${this.#list.pk} is kept by sale day, which the writer was not told`);
    return day;
  }

  /** One stamp serves a whole transaction, so that `svc_updated_date` and the day of the slot are the same day. */
  async #awayFromMidnight(): Promise<Date> {
    const now = this.#clock.now();
    if (untilMidnight(now) > midnightMargin) return now;
    await this.#clock.sleep(untilMidnight(now));
    return this.#clock.now();
  }

  #outboxWrites(batch: readonly Change[], ranks: readonly string[]): TransactWriteItem[] {
    const { outbox } = this.#options;
    // No rank is handed out twice, so the item is a new one.
    return outbox ? [this.#table.putWrite({ pk: outbox, sk: ranks[0] ?? "", ids: batch.map(({ id }) => id) })] : [];
  }

  /** The entries that a change moves, those of its days included. */
  #entryMoves({ id, stored, entries }: Change, ranks: Ranks): Change["entries"] {
    return [...entries, ...entryMoves(this.#list, id, stored && dayTerms(stored), dayTerms(ranks))];
  }

  /** What stores a record and its entries. */
  #writesOf(change: Change, ranks: Ranks, stamp: string): TransactWriteItem[] {
    const { render = renderBody, customerOf } = this.#options;
    const customer = customerOf?.(change.content);
    const created = change.stored?.created ?? stamp;
    const item = {
      ...recordKey(this.#list, change.id),
      ...ranks,
      customerRank: customer ? customerRankOf(customer, ranks.rank) : undefined,
      hash: change.hash,
      created,
      body: render(change.content, { created, updated: stamp }),
    };
    return [
      this.#table.putWrite(item, unchanged("rank", change.stored?.rank)),
      ...this.#entryMoves(change, ranks).map(({ key, move }) =>
        move === "take" ? this.#table.deleteWrite(key) : this.#table.putWrite({ ...key, ...entryPlaces(ranks) }),
      ),
    ];
  }
}

/** Milliseconds that are left of a UTC day. */
function untilMidnight(now: Date): number {
  return Date.parse(`${utcDay(now)}T24:00:00.000Z`) - now.getTime();
}
