import type { RecordKind } from "../../api/kinds.ts";
import type { Connection } from "../../pos/connector.ts";
import { itemId, type Table } from "../../store/client.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { recordId } from "../../store/recordId.ts";

/**
 * Reads replicated records of a kind, by POS id. The map has no entry for a record that is not stored, or is damaged.
 * Without `consistent`, a record that was stored a moment ago may have its earlier content, but is found: what a
 * lagging read lacks is read again.
 */
export async function readReplicated<Found>(
  table: Table,
  { crbId, posType }: Pick<Connection, "crbId" | "posType">,
  kind: RecordKind,
  posIds: readonly (string | null | undefined)[],
  options: { consistent?: boolean } = {},
): Promise<Map<string, Found>> {
  const keyOf = (posId: string) => recordKey(recordList(crbId, kind), recordId(crbId, kind, posType, posId));
  const wanted = [...new Set(posIds)].filter((posId) => posId != null);
  const items = await table.batchGet(wanted.map(keyOf), { ...options, attributes: ["body"] });
  const missing = options.consistent ? [] : wanted.filter((posId) => !items.has(itemId(keyOf(posId))));
  if (missing.length > 0) {
    const found = await table.batchGet(missing.map(keyOf), { consistent: true, attributes: ["body"] });
    for (const [id, item] of found) items.set(id, item);
  }
  return new Map(
    wanted.flatMap((posId) => {
      const item = items.get(itemId(keyOf(posId)));
      return item && item.body !== damagedText ? [[posId, JSON.parse(item.body as string) as Found] as const] : [];
    }),
  );
}
