import type { Item, Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { revisedDayPrefix, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { ReplicationState } from "./replicationState.ts";

/** Maximum number of days in a transaction with events. Each day takes a deletion and the writes of an event. */
const maxDays = 25;
/** Maximum number of deletions in a transaction. */
const maxDeletions = 100;

/**
 * Maximum number of days that the events of one run report: the newest. Another shop, another time zone or a correction of
 * old sales changes the days of many years at once, and their events would delay the events of other businesses.
 */
const maxEvents = 31;

export interface AnnounceOptions {
  /**
   * Report no day before the end of an interrupted run, a first full reading, or a full reading in another time zone. Its
   * later time slices change further days.
   */
  waitsForRun?: boolean;
}

/**
 * Records an event for each complete sales day that was changed, for the newest 31 at most (docs/spec.md#sales-days). The
 * transaction that records the events also deletes the outbox items of these days, unless the days have changed again. So each
 * revision is reported once, or is included in the report of a later one. The outbox items of older days are deleted first, so
 * that a worker that is killed leaves no further days to report.
 *
 * @returns whether no day waits for the end of a run
 * @throws ServiceError "unavailable" if the table cannot be reached, or every attempt conflicts with another writer
 */
export async function announceRevisedDays(
  table: Table,
  crbId: string,
  clock: Clock,
  { waitsForRun = false }: AnnounceOptions = {},
): Promise<boolean> {
  return retryOnConflict(clock, async () => {
    const items = await table.queryPartition(salesTotalsPartition(crbId), {
      prefix: revisedDayPrefix,
      consistent: true,
    });
    if (items.length === 0) return true;
    if (waitsForRun && (await isReading(table, crbId))) return false;
    const crb = await readCrb(table, crbId, { consistent: true });
    if (!crb || crb.endedAt) return true;
    for (const part of partsOf(items.slice(0, -maxEvents), maxDeletions)) {
      await table.transact(part.map((item) => deletion(table, item)));
    }
    for (const part of partsOf(items.slice(-maxEvents), maxDays)) {
      const events = part.map(({ sk, revision }) => ({
        type: "sales_day.revised" as const,
        spId: crb.serviceProviderId,
        crbId,
        data: { date: sk.slice(revisedDayPrefix.length), revision: revision as number },
      }));
      await commitWithEvents(table, { writes: part.map((item) => deletion(table, item)), events }, clock);
    }
    return true;
  });
}

/** Whether a run, or a full reading that comes first in its shop or time zone, has not ended yet. */
async function isReading(table: Table, crbId: string): Promise<boolean> {
  const state = (await table.get(replicationKey(crbId, "sale"), { consistent: true })) as ReplicationState | undefined;
  return state !== undefined && (state.position !== null || !state.first_succeeded_at || !state.timezone);
}

/** Deletes the outbox item of a day, on condition that the day has not changed again. */
function deletion(table: Table, { pk, sk, revision }: Item) {
  return table.deleteWrite({ pk, sk }, { expression: "revision = :revision", values: { ":revision": revision } });
}

function partsOf<Element>(elements: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, i) => elements.slice(i * size, (i + 1) * size));
}
