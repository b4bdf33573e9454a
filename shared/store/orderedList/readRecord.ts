import type { Table } from "../client.ts";
import { DamagedRecordError, damagedText } from "../damagedRecords.ts";
import { type OrderedList, recordKey } from "../keys/orderedLists.ts";

/**
 * Reads one replicated record.
 *
 * @returns the record's JSON text, byte for byte as the API returns it; undefined if the list has no such record
 * @throws DamagedRecordError
 */
export async function readRecord(table: Table, list: OrderedList, id: string): Promise<string | undefined> {
  const item = await table.get(recordKey(list, id), { attributes: ["body", "hash"] });
  if (item?.body === damagedText) throw new DamagedRecordError(list.pk);
  return item?.body as string | undefined;
}
