import { LocationLists } from "../../../shared/replication/locationLists.ts";
import type { Table } from "../../../shared/table/client.ts";
import { inventoryTerms, keepLocations } from "../../../shared/table/inventory.ts";
import { outboxPartition, recordList } from "../../../shared/table/keys.ts";
import type { Fence } from "../../../shared/table/rankedList/fence.ts";
import { type RecordToWrite, RecordWriter, type WriteResult } from "../../../shared/table/rankedList/recordWriter.ts";
import type { Clock } from "../../../shared/time/clock.ts";

/** Writes a CRB's inventory (in Denver) and that of its locations, as one page of a run does. */
export async function writeInventory(
  table: Table,
  crbId: string,
  options: { fence: Fence; clock: Clock; deadline?: Date },
  records: readonly RecordToWrite[],
): Promise<WriteResult> {
  const { fence, clock, deadline } = options;
  const connection = { crbId, timezone: "America/Denver" };
  const locations = new LocationLists({ table, connection, fence, clock, deadline, cutOff: deadline });
  const outbox = outboxPartition(crbId);
  const writer = new RecordWriter(table, recordList(crbId, "inventory"), {
    ...{ fence, clock, deadline, outbox },
    termsOf: inventoryTerms,
    merge: keepLocations,
  });
  await locations.follow();
  await locations.beforeChange();
  const written = await writer.write(records);
  await locations.follow();
  return written;
}
