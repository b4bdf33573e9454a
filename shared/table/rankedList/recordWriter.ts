import { setTimeout as wait } from "node:timers/promises";
import { TransactionCanceledException, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../../api/errors.ts";
import { type Clock, systemClock, utcDay } from "../../time/clock.ts";
import { type Table, unchanged } from "../client.ts";
import { customerRankOf, type RankedList, recordKey } from "../keys.ts";
import { contentHash, renderBody } from "./body.ts";
import { defaultChapterSize } from "./directory.ts";
import { entryMoves, entryPlaces, type TermsOf } from "./entries.ts";
import { type Fence, transactFenced } from "./fence.ts";
import { packTransactions } from "./packTransactions.ts";
import { RankKeeper, StaleRankError } from "./rankKeeper.ts";

/** A replicated record as the API returns it, with null where the writer puts `svc_created_date` and `svc_updated_date`. */
export interface RecordToWrite {
  id: string;
  content: Record<string, unknown>;
}

export interface WriteResult {
  created: number;
  changed: number;
  unchanged: number;
  /** Records that cannot be stored, by reason code. */
  rejected: { id: string; reason: "too_large" }[];
  /** Where the records stand now, those that had not changed too. */
  ranks: string[];
}

export interface WriterOptions {
  fence: Fence;
  /** The values by which a record of this list can be found; see `entries.ts`. */
  termsOf?: TermsOf;
  /** The day of a record in the list's order by sale day, yyyy-MM-dd; needed where the list has that order. */
  saleDayOf?: (record: Record<string, unknown>) => string;
  /** The customer a record belongs to, where the list is also read by customer. */
  customerOf?: (record: Record<string, unknown>) => string | null | undefined;
  /** The record's JSON text; `renderBody` when absent. */
  render?: typeof renderBody;
  /** What becomes of a record's content in view of the one stored, before the two are compared. */
  merge?: (content: Record<string, unknown>, stored: Record<string, unknown>) => Record<string, unknown>;
  /**
   * Called with the changed contents of a transaction before it is committed, and again when it is planned anew. What
   * it writes is there when the records show, and done again by the next run when this one dies in between.
   */
  beforeCommit?: (contents: readonly Record<string, unknown>[]) => Promise<void>;
  clock?: Clock;
  chapterSize?: number;
}

/** DynamoDB's limit for an item, less room for its keys and other attributes. */
const mostBodyBytes = 400 * 1024 - 1024;
/** A commit that takes this long must still lie on the day of its stamp, so none starts closer to midnight. */
const midnightMargin = 3_000;
const mostAttempts = 12;

/** A record that must be written, beside what the table holds of it. */
interface Change {
  id: string;
  content: Record<string, unknown>;
  hash: string;
  stored: Stored | undefined;
}

interface Stored {
  rank: string;
  saleRank?: string;
  hash: string;
  created: string;
  body: string;
}

/**
 * Writes replicated records to a ranked list, for one run of replication.
 *
 * Unchanged records cost one read and are not written, so `svc_updated_date` means a real change. All others go through
 * transactions that hold records, entries, directory and bitmaps together, so that a reader never sees a part. Writing
 * the same records again changes nothing.
 */
export class RecordWriter {
  readonly #table: Table;
  readonly #list: RankedList;
  readonly #options: WriterOptions;
  readonly #clock: Clock;
  readonly #ranks: RankKeeper;
  readonly #saleRanks: RankKeeper | undefined;

  constructor(table: Table, list: RankedList, options: WriterOptions) {
    this.#table = table;
    this.#list = list;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { rank, saleRank } = list.orders;
    const chapterSize = options.chapterSize ?? defaultChapterSize;
    this.#ranks = new RankKeeper(table, rank, chapterSize);
    this.#saleRanks = saleRank && new RankKeeper(table, saleRank, chapterSize);
  }

  /**
   * Writes a page of records, the last one where an id comes twice.
   *
   * @throws LeaseLostError when the fence no longer stands; ServiceError "unavailable" when the table stays refused
   */
  async write(records: readonly RecordToWrite[]): Promise<WriteResult> {
    const result: WriteResult = { created: 0, changed: 0, unchanged: 0, rejected: [], ranks: [] };
    let pending = new Map<string, RecordToWrite>();
    for (const record of records) {
      // Deleted first, so that the later one also stands later in the order.
      pending.delete(record.id);
      if (Buffer.byteLength(JSON.stringify(record.content)) > mostBodyBytes) {
        result.rejected.push({ id: record.id, reason: "too_large" });
      } else pending.set(record.id, record);
    }
    for (let attempt = 0; pending.size > 0; attempt++) {
      if (attempt === mostAttempts) throw new ServiceError("unavailable");
      if (attempt > 0) await wait(Math.random() * Math.min(5_000, 25 * 2 ** attempt));
      pending = await this.#attempt(pending, result, attempt > 0);
    }
    return result;
  }

  /** Writes what it can; returns what a refused transaction left over, to be read and planned anew. */
  async #attempt(
    pending: Map<string, RecordToWrite>,
    result: WriteResult,
    consistent: boolean,
  ): Promise<Map<string, RecordToWrite>> {
    const left = new Map(pending);
    const changes: Change[] = [];
    const stored = await this.#readStored([...pending.keys()], consistent);
    for (const record of pending.values()) {
      const change = this.#compare(record, stored.get(record.id));
      if (change.stored?.hash === change.hash) {
        result.unchanged++;
        result.ranks.push(change.stored.rank);
        left.delete(change.id);
      } else changes.push(change);
    }
    for (const batch of packTransactions(changes, (change) => this.#itemsOf(change))) {
      const ranks = await this.#commit(batch);
      if (!ranks) {
        this.#ranks.forget();
        this.#saleRanks?.forget();
        return left;
      }
      result.ranks.push(...ranks);
      for (const change of batch) {
        if (change.stored) result.changed++;
        else result.created++;
        left.delete(change.id);
      }
    }
    return left;
  }

  #compare({ id, content: fresh }: RecordToWrite, stored: Stored | undefined): Change {
    const { merge } = this.#options;
    const content = merge && stored ? merge(fresh, JSON.parse(stored.body)) : fresh;
    return { id, content, hash: contentHash(content), stored };
  }

  async #readStored(ids: string[], consistent: boolean): Promise<Map<string, Stored>> {
    const attributes = ["rank", "hash", "created"];
    if (this.#saleRanks) attributes.push("saleRank");
    if (this.#options.termsOf || this.#options.merge) attributes.push("body");
    const items = await this.#table.batchGet(
      ids.map((id) => recordKey(this.#list, id)),
      { consistent, attributes },
    );
    return new Map([...items.values()].map((item) => [item.sk, item as unknown as Stored]));
  }

  /** Ids of the items that a change brings into a transaction, as many as it can be. */
  #itemsOf(change: Change): { ids: string[]; bytes: number; group: string } {
    const today = utcDay(this.#clock.now());
    const entries = this.#entryMoves(change);
    return {
      ids: [
        change.id,
        ...entries.map(({ key }) => `${key.pk} ${key.sk}`),
        ...this.#ranks.itemsFor(today, change.stored?.rank),
        ...(this.#saleRanks?.itemsFor(this.#saleDay(change), change.stored?.saleRank) ?? []),
      ],
      bytes: Buffer.byteLength(JSON.stringify(change.content)) + 400 + entries.length * 100,
      group: change.stored?.rank ?? "",
    };
  }

  /** Commits one transaction; returns where its records stand now, or undefined when it has to be planned anew. */
  async #commit(batch: readonly Change[]): Promise<string[] | undefined> {
    try {
      await this.#options.beforeCommit?.(batch.map(({ content }) => content));
      await Promise.all([
        this.#ranks.load(
          [utcDay(this.#clock.now())],
          batch.flatMap(({ stored }) => stored?.rank ?? []),
        ),
        this.#saleRanks?.load(
          batch.map((change) => this.#saleDay(change)),
          batch.flatMap(({ stored }) => stored?.saleRank ?? []),
        ),
      ]);
      const now = await this.#awayFromMidnight();
      // Reads nothing, unless a year began in the meantime.
      await this.#ranks.load([utcDay(now)], []);
      const { writes, ranks } = this.#plan(batch, now);
      await transactFenced(this.#table, this.#options.fence, writes);
      this.#ranks.committed();
      this.#saleRanks?.committed();
      return ranks;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  #saleDay({ content }: Change): string {
    const day = this.#options.saleDayOf?.(content);
    if (!day) throw new Error(`${this.#list.pk} is kept by sale day, which the writer was not told`);
    return day;
  }

  /** One stamp serves a whole transaction, so that `svc_updated_date` and the day of the slot are the same day. */
  async #awayFromMidnight(): Promise<Date> {
    const now = this.#clock.now();
    const toMidnight = Date.parse(`${utcDay(now)}T24:00:00.000Z`) - now.getTime();
    if (toMidnight > midnightMargin) return now;
    await this.#clock.sleep(toMidnight);
    return this.#clock.now();
  }

  #plan(batch: readonly Change[], now: Date): { writes: TransactWriteItem[]; ranks: string[] } {
    // A clock that runs behind the one of an earlier run must not put records behind those already listed.
    const day = this.#ranks.newestDay(utcDay(now));
    const stamp = day === utcDay(now) ? now.toISOString() : `${day}T00:00:00.000Z`;
    const { render = renderBody } = this.#options;
    const writes: TransactWriteItem[] = [];
    const ranks: string[] = [];
    for (const change of batch) {
      const { stored } = change;
      const rank = this.#ranks.place(stored?.rank, day);
      const saleRank = this.#saleRanks?.place(stored?.saleRank, this.#saleDay(change));
      const customer = this.#options.customerOf?.(change.content);
      const created = stored?.created ?? stamp;
      const item = {
        ...recordKey(this.#list, change.id),
        rank,
        saleRank,
        customerRank: customer ? customerRankOf(customer, rank) : undefined,
        hash: change.hash,
        created,
        body: render(change.content, { created, updated: stamp }),
      };
      writes.push(this.#table.putWrite(item, unchanged("rank", stored?.rank)));
      const moved = rank !== stored?.rank || saleRank !== stored.saleRank;
      for (const { key, move } of this.#entryMoves(change)) {
        if (move === "take") writes.push(this.#table.deleteWrite(key));
        else if (move === "make" || moved) {
          writes.push(this.#table.putWrite({ ...key, ...entryPlaces({ rank, saleRank }) }));
        }
      }
      ranks.push(rank);
    }
    // The day of a sale may come again at any time, so its order never drops a day.
    writes.push(...this.#ranks.writes(now, day), ...(this.#saleRanks?.writes(now, undefined) ?? []));
    return { writes, ranks };
  }

  #entryMoves({ id, content, stored }: Change) {
    const { termsOf } = this.#options;
    return termsOf ? entryMoves(this.#list, id, stored && termsOf(JSON.parse(stored.body)), termsOf(content)) : [];
  }
}

/** Whether a transaction that failed is one to plan again: something changed beside it, or the table was busy. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StaleRankError) return true;
  if (error instanceof ServiceError) return error.kind === "unavailable";
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? [];
  return codes.every((code) => code !== "ValidationError" && code !== "ItemCollectionSizeLimitExceeded");
}
