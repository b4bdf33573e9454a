import * as z from "zod";
import type { RecordKind } from "../../kinds.ts";
import type { Connection, LastPage, PullPage, PullRequest, RejectedPosRecord } from "../connector.ts";
import { type PosRecords, posIdOf } from "../posRecords.ts";
import { Memo } from "./memo.ts";
import { parseState } from "./readSpan.ts";

/** A list that a POS gives in one piece, or that is of use only as a whole. */
export interface WholeList<Kind extends RecordKind> extends Required<LastPage> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** see PullPage */
  complete: boolean;
}

const listPosition = z.object({
  /** key of the last record that was handed out */
  after: z.string(),
  complete: z.boolean(),
  watermark: z.string(),
  asOf: z.string().nullable(),
  readAll: z.boolean(),
});

const keptMilliseconds = 15 * 60_000;

/**
 * Hands out whole lists in pages, in the order of their keys. Whoever goes on with a pull in another process reads the
 * list again and goes on behind the same key; the pull then reaches no further than its first reading did.
 */
export class WholeLists {
  // One at a time: a worker does one pull after the other, and a list may be big.
  readonly #lists = new Memo<WholeList<RecordKind>>(1, keptMilliseconds);
  readonly #pageSize: number;

  constructor(pageSize = 250) {
    this.#pageSize = pageSize;
  }

  async page<Kind extends RecordKind>(
    { crbId }: Connection,
    { kind, position, now }: PullRequest<Kind>,
    read: () => Promise<WholeList<Kind>>,
  ): Promise<PullPage<Kind>> {
    const keyOf = (record: PosRecords[Kind]) => posIdOf(kind, record);
    const list = (await this.#lists.get(`${crbId} ${kind} ${now.toISOString()}`, async () => {
      const fresh = await read();
      fresh.records.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      return fresh;
    })) as WholeList<Kind>;
    const from = parseState(listPosition, position);
    const start = from ? firstAfter(list.records, keyOf, from.after) : 0;
    const records = list.records.slice(start, start + this.#pageSize);
    // One without an id may be any of those that the table has.
    const isNamed = list.rejected.every(({ posId }) => posId !== "");
    const complete = list.complete && isNamed && (from?.complete ?? true);
    const end = endOf(list, from ?? list);
    const last = records.at(-1);
    const hasMore = last !== undefined && start + records.length < list.records.length;
    return {
      records,
      rejected: hasMore ? [] : list.rejected,
      total: list.records.length,
      next: hasMore ? { position: JSON.stringify({ after: keyOf(last), complete, ...end }) } : end,
      complete,
    };
  }
}

/**
 * How far a pull of several readings reaches: each had to show everything. One that may have missed something says from
 * where the next pull must read; otherwise that is as the first one says.
 */
function endOf(last: Required<LastPage>, before: Required<LastPage>): Required<LastPage> {
  const lacking = [before, last].find(({ asOf }) => asOf === null);
  return {
    watermark: (lacking ?? before).watermark,
    asOf: lacking ? null : before.asOf,
    readAll: before.readAll && last.readAll,
  };
}

function firstAfter<Record>(records: readonly Record[], keyOf: (record: Record) => string, after: string): number {
  const found = records.findIndex((record) => keyOf(record) > after);
  return found === -1 ? records.length : found;
}
