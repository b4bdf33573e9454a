import type { Table } from "../client.ts";
import type { ListOrder, OrderedList } from "../keys/orderedLists.ts";
import { LaggingIndexError, retryOnConflict } from "../retryOnConflict.ts";
import { type DayWindow, loadDayIndexes } from "./dayIndex.ts";
import { placeOf, type RecordPlace } from "./indexEntries.ts";
import { findRanks, planPage } from "./planPage.ts";
import { readRanks } from "./readRanks.ts";

/** Positions per query, and the number of positions that are read at the same time. */
const perQuery = 2_000;
const maxAtOnce = 32_000;
/** Up to this number of positions that the index does not show are read one by one: a range could have many others. */
const maxSingle = 100;
/** Number of reads until the records that the index does not show may have moved, so that the positions are found again. */
const readsPerPlan = 4;
const pauseMs = 100;

/**
 * Reads the places of all records in a window of an order, by record id, for about an eighth of a read unit each.
 *
 * A result without some of them would move others to lower offsets, so that a pagination would miss records. So the read
 * waits until the index shows every position of one plan, until one of their records may have moved.
 *
 * @param isWanted whether a place is returned; the others take little memory
 * @throws ServiceError "unavailable" if the index does not show all records for some seconds, or if concurrent writers
 *   change the list during every attempt
 */
export async function readPlaces(
  table: Table,
  list: OrderedList,
  order: ListOrder,
  days: DayWindow,
  isWanted: (place: RecordPlace) => boolean,
): Promise<Map<string, RecordPlace>> {
  const shown = new Map<string, readonly [id: string, RecordPlace] | undefined>();
  const reading = { table, list, order, attributes: ["rank", "saleRank"] };
  return retryOnConflict(table.clock, async () => {
    const window = { ...days, offset: 0, limit: Number.POSITIVE_INFINITY };
    const { parts } = planPage(await loadDayIndexes(table, order, days), window);
    const ranks = await findRanks(table, order, parts, { consistent: true });
    for (let reads = 0; reads < readsPerPlan; reads++) {
      if (reads > 0) await table.clock.sleep(pauseMs);
      const missing = ranks.filter((rank) => !shown.has(rank));
      const isFew = reads > 0 && missing.length <= maxSingle;
      for (let i = 0; i < missing.length; i += maxAtOnce) {
        const found = await readRanks({ ...reading, perQuery: isFew ? 1 : perQuery }, missing.slice(i, i + maxAtOnce));
        for (const { rank, item } of found) {
          const place = placeOf(item);
          shown.set(rank, isWanted(place) ? [item.sk?.S ?? "", place] : undefined);
        }
      }
      if (!ranks.every((rank) => shown.has(rank))) continue;
      return new Map(ranks.map((rank) => shown.get(rank)).filter((place) => place !== undefined));
    }
    throw new LaggingIndexError(list.pk);
  });
}
