import { nameOfKind, type RecordKind } from "../../api/kinds.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { type Table, unchanged } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { recordList } from "../../store/keys/orderedLists.ts";
import { announcedKey } from "../../store/keys/replication.ts";
import { encodeListCursor } from "../../store/orderedList/listCursor.ts";
import { readHead } from "../../store/orderedList/readChanges.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { type AnnounceOptions, announceSalesDays } from "./announceSalesDays.ts";

/**
 * Records a `records.changed` event if a list has changed since the last such event (docs/spec.md#events). One transaction
 * writes the event and the announced position. So any worker can announce the changes that a killed worker has stored. After the
 * end of the association no event is recorded, because no caller may read the list.
 *
 * @throws ServiceError "unavailable" if the table cannot be reached, or every attempt conflicts with another writer
 */
async function announceChanges(table: Table, crbId: string, kind: RecordKind, clock: Clock): Promise<void> {
  const list = recordList(crbId, kind);
  const key = announcedKey(crbId, kind);
  await retryOnConflict(clock, async () => {
    // Read the announced position before the list's head, so that the announced position cannot be ahead of the head.
    const before = (await table.get(key, { consistent: true }))?.head as string | undefined;
    const { head, generation } = await readHead(table, list.orders.rank);
    if (head === undefined || (before !== undefined && head <= before)) return;
    const crb = await readCrb(table, crbId, { consistent: true });
    if (!crb || crb.endedAt) return;
    const data = { kind: nameOfKind(kind), cursor_before: encodeListCursor(table, list, before, generation) };
    const events = [{ type: "records.changed", spId: crb.serviceProviderId, crbId, data } as const];
    await commitWithEvents(
      table,
      { writes: [table.putWrite({ ...key, head }, unchanged("head", before))], events },
      clock,
    );
  });
}

/**
 * Announces changes: of sales, also the complete days that have changed. A failure is only logged, because the next run
 * announces the same changes.
 *
 * @returns whether all changes are announced
 */
export async function tryAnnounceChanges(
  table: Table,
  crbId: string,
  kind: RecordKind,
  clock: Clock,
  options: AnnounceOptions = {},
): Promise<boolean> {
  try {
    const hasReportedDays = kind !== "sale" || (await announceSalesDays(table, crbId, clock, options));
    await announceChanges(table, crbId, kind, clock);
    return hasReportedDays;
  } catch (error) {
    log.warn("changes not announced; the next run announces them", {
      crb_id: crbId,
      kind,
      error: describeError(error),
    });
    return false;
  }
}
