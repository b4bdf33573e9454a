import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import type { Connection, LastPage, PullPage, PullRequest, RejectedPosRecord } from "../connector.ts";
import { type PosRecords, posIdOf } from "../posRecords.ts";
import { AsyncCache } from "./asyncCache.ts";
import { parseState } from "./readRange.ts";

/** A list that a POS returns in one piece, or that a connector can convert only after it has read all of it. */
export interface WholeList<Kind extends RecordKind> extends Required<LastPage> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** see PullPage; counts the dropped rows of the whole list */
  foreign?: number;
  complete: boolean;
  /** whether the list has further records with greater keys, for which the POS must be read again (see NextRecords) */
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

/** Returns whole lists in pages, in key order. Another process reads the list again, and continues after the key. */
export class WholeLists {
  // The cache holds one list, because a list may be large and a worker finishes one pull before it starts the next.
  readonly #lists = new AsyncCache<WholeList<RecordKind> & { behind: string | null }>(1, keptMilliseconds);
  readonly #pageSize: number;

  constructor(pageSize = 250) {
    this.#pageSize = pageSize;
  }

  /** @param read returns the list; it may omit records whose keys are not after `behind` */
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
    const rest = list.records.filter((record) => behind === null || keyOf(record) > behind);
    const records = rest.slice(0, this.#pageSize);
    // A rejected row without an id may be any stored record, so the pull cannot show which stored records are absent.
    const isNamed = list.rejected.every(({ posId }) => posId !== "");
    const complete = list.complete && isNamed && (from?.complete ?? true);
    const end = endOf(list, from ?? list);
    const last = records.at(-1);
    const hasMore = last !== undefined && (records.length < rest.length || (list.hasMore ?? false));
    return {
      records,
      // A rejected row is returned with the page whose range of keys contains its id. The next page may come from
      // another reading, which may reject other rows.
      rejected: list.rejected.filter(({ posId }) => {
        if (posId === "") return !hasMore;
        return posId > (behind ?? "") && (!hasMore || posId <= keyOf(last));
      }),
      // The number covers the whole list, so only the last page returns it.
      ...(!hasMore && list.foreign !== undefined && { foreign: list.foreign }),
      total: list.hasMore || list.behind !== null ? null : list.records.length,
      next: hasMore ? { position: JSON.stringify({ after: keyOf(last), complete, ...end }) } : end,
      complete,
    };
  }
}

/** Whether a list that was read contains the records after a key. */
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
 * The end of a pull that read the list several times. Normally the watermark of the first reading counts. If a reading
 * may have missed records (`asOf` is null), its watermark counts instead. `readAll` is true only if every reading read
 * all records.
 */
function endOf(last: Required<LastPage>, before: Required<LastPage>): Required<LastPage> {
  const lacking = [before, last].find(({ asOf }) => asOf === null);
  return {
    watermark: (lacking ?? before).watermark,
    asOf: lacking ? null : before.asOf,
    readAll: before.readAll && last.readAll,
  };
}
