import { type Clock, systemClock, utcDay } from "../../time/clock.ts";
import { type Table, unchanged } from "../client.ts";
import { type RankedList, recordKey } from "../keys.ts";
import { untilCommitted } from "../untilCommitted.ts";
import { defaultChapterSize } from "./directory.ts";
import { entryMoves, type TermsOf } from "./entries.ts";
import { RankKeeper } from "./rankKeeper.ts";

/**
 * Takes a record off a ranked list for good: the record, the entries that lead to it, and its place in every order,
 * which stays empty. One transaction; a writer that works on the list at the same time plans anew.
 *
 * @param options.termsOf the values by which records of this list can be found
 * @returns the record as it was, JSON text; undefined when there is none
 * @throws ServiceError "unavailable" when others are faster every time
 */
export async function removeRecord(
  table: Table,
  list: RankedList,
  id: string,
  options: { termsOf?: TermsOf; clock?: Clock; chapterSize?: number } = {},
): Promise<string | undefined> {
  const { termsOf, clock = systemClock, chapterSize = defaultChapterSize } = options;
  return untilCommitted(clock, async () => {
    const item = await table.get(recordKey(list, id), { consistent: true });
    if (!item) return undefined;
    const body = item.body as string;
    const entries = termsOf ? entryMoves(list, id, termsOf(JSON.parse(body)), []) : [];
    const writes = [
      table.deleteWrite(recordKey(list, id), unchanged("rank", item.rank)),
      ...entries.map(({ key }) => table.deleteWrite(key)),
    ];
    for (const [name, order] of Object.entries(list.orders)) {
      const rank = item[name] as string;
      const ranks = new RankKeeper(table, order, chapterSize);
      const now = clock.now();
      const today = utcDay(now);
      await ranks.load([today], [rank]);
      ranks.leave(rank);
      // As its writer does: the order by sale day never drops a day.
      writes.push(...ranks.writes(now, name === "rank" ? ranks.newestDay(today) : undefined));
    }
    await table.transact(writes);
    return body;
  });
}
