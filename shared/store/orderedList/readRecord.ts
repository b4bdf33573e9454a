import type { Table } from "../client.ts";
import { DamagedRecordError, damagedText } from "../damagedRecords.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";

/**
 * Reads a replicated record as the JSON text that the API returns; undefined if it does not exist.
 *
 * @throws DamagedRecordError
 */
export async function readRecord(table: Table, list: OrderedList, id: string): Promise<string | undefined> {
  const item = await table.get(recordKey(list, id), { attributes: ["body", "hash"] });
  if (item?.body === damagedText) throw new DamagedRecordError(list.pk);
  return item?.body as string | undefined;
}
