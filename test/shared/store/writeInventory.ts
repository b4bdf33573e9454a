import { LocationLists } from "../../../shared/domain/replication/locationLists.ts";
import type { Table } from "../../../shared/store/client.ts";
import { extractInventoryIndexedFields, keepLocations } from "../../../shared/store/inventory.ts";
import { outboxPartition } from "../../../shared/store/keys/inventory.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { Fence } from "../../../shared/store/orderedList/fence.ts";
import { type RecordToWrite, RecordWriter, type WriteResult } from "../../../shared/store/orderedList/recordWriter.ts";
import type { Clock } from "../../../shared/time/clock.ts";

/** Writes the inventory of a CRB in Denver and of its locations, like one page of a run. */
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
    extractIndexedFields: extractInventoryIndexedFields,
    merge: keepLocations,
  });
  await locations.updateLists();
  await locations.beforeChange();
  const written = await writer.write(records);
  await locations.updateLists();
  return written;
}
