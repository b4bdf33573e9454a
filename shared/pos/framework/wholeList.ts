import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import type { Connection, LastPage, PullPage, PullRequest, RejectedPosRecord } from "../connector.ts";
import { type PosRecords, posIdOf } from "../posRecords.ts";
import { AsyncCache } from "./asyncCache.ts";
import { parseState } from "./readRange.ts";

/** A list that a POS returns in one piece, or that is useful only as a whole. */
export interface WholeList<Kind extends RecordKind> extends Required<LastPage> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** see PullPage; counts the rows of the whole list */
  foreign?: number;
  complete: boolean;
  /** whether records with greater keys need another reading (see NextRecords) */
  hasMore?: boolean;
}

const listPosition = z.object({
  /** key of the last record returned */
  after: z.string(),
  complete: z.boolean(),
  watermark: z.string(),
  asOf: z.string().nullable(),
  readAll: z.boolean(),
});

const keptMilliseconds = 15 * 60_000;

/**
 * Returns whole lists in pages, in key order. If another process continues the pull, it reads the list again and continues
 * after the same key. The pull then reaches no further than its first reading.
 */
export class WholeLists {
  // One list at a time: a worker runs one pull after the other, and a list may be large.
  readonly #lists = new AsyncCache<WholeList<RecordKind> & { behind: string | null }>(1, keptMilliseconds);
  readonly #pageSize: number;

  constructor(pageSize = 250) {
    this.#pageSize = pageSize;
  }

  /** @param read returns the list; it may omit records up to the key `behind` */
  async page<Kind extends RecordKind>(
    { crbId }: Connection,
    { kind, position, now }: PullRequest<Kind>,
    read: (behind: string | null) => Promise<WholeList<Kind>>,
  ): Promise<PullPage<Kind>> {
    const keyOf = (record: PosRecords[Kind]) => posIdOf(kind, record);
    const from = parseState(listPosition, position);
    const behind = from?.after ?? null;
    const key = `${crbId} ${kind} ${now.toISOString()}`;
    const get = async () => {
      const made = this.#lists.get(key, async () => {
        const fresh = await read(behind);
        fresh.records.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        return { ...fresh, behind };
      });
      return (await made) as WholeList<Kind> & { behind: string | null };
    };
    let list = await get();
    if (!reaches(list, keyOf, behind)) {
      this.#lists.forget(key);
      list = await get();
    }
    const start = from ? firstAfter(list.records, keyOf, from.after) : 0;
    const records = list.records.slice(start, start + this.#pageSize);
    // A row without an id may be any stored record.
    const isNamed = list.rejected.every(({ posId }) => posId !== "");
    const complete = list.complete && isNamed && (from?.complete ?? true);
    const end = endOf(list, from ?? list);
    const last = records.at(-1);
    const hasMore = last !== undefined && (start + records.length < list.records.length || (list.hasMore ?? false));
    return {
      records,
      // Rejected rows go with the page that covers their ids: the next page may come from another reading with other
      // rejections.
      rejected: list.rejected.filter(({ posId }) => {
        if (posId === "") return !hasMore;
        return posId > (behind ?? "") && (!hasMore || posId <= keyOf(last));
      }),
      // Every reading of a list meets the same foreign rows, so only the last page counts them.
      ...(!hasMore && list.foreign !== undefined && { foreign: list.foreign }),
      total: list.hasMore || list.behind !== null ? null : list.records.length,
      next: hasMore ? { position: JSON.stringify({ after: keyOf(last), complete, ...end }) } : end,
      complete,
    };
  }
}

/** Whether a list contains the records that follow a key. */
function reaches<Record>(
  { records, hasMore, behind }: { records: readonly Record[]; hasMore?: boolean; behind: string | null },
  keyOf: (record: Record) => string,
  key: string | null,
): boolean {
  if (behind !== null && (key === null || key < behind)) return false;
  const last = records.at(-1);
  return !hasMore || last === undefined || key === null || key < keyOf(last);
}

/**
 * The range of a pull with several readings: each must have read everything. If one may have missed something, its watermark
 * counts; otherwise the first one's does.
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
