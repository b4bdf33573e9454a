import type { Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { revisedDayKey, revisedDayPrefix, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";

/** Maximum number of days in a transaction. Each day takes a deletion and the writes of an event. */
const maxDays = 25;

/**
 * Records an event for each complete sales day that was changed (docs/spec.md#sales-days). The transaction that records the
 * events also deletes the outbox items of these days, unless the days have changed again. So each revision is reported
 * once, or is included in the report of a later one.
 *
 * @throws ServiceError "unavailable" if the table cannot be reached, or every attempt conflicts with another writer
 */
export async function announceRevisedDays(
  table: Table,
  { crbId, spId }: { crbId: string; spId: string },
  clock: Clock,
): Promise<void> {
  const partition = salesTotalsPartition(crbId);
  let hasMore = true;
  while (hasMore) {
    await retryOnConflict(clock, async () => {
      const items = await table.query({
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues: { ":pk": partition, ":prefix": revisedDayPrefix },
        ConsistentRead: true,
        Limit: maxDays,
      });
      hasMore = items.length === maxDays;
      if (items.length === 0) return;
      const revised = items.map(({ sk, revision }) => ({
        date: sk.slice(revisedDayPrefix.length),
        revision: revision as number,
      }));
      const writes = revised.map(({ date, revision }) =>
        table.deleteWrite(revisedDayKey(partition, date), {
          expression: "revision = :revision",
          values: { ":revision": revision },
        }),
      );
      const events = revised.map((data) => ({ type: "sales_day.revised" as const, spId, crbId, data }));
      await commitWithEvents(table, { writes, events }, clock);
    });
  }
}
