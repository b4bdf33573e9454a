import type { RecordKind } from "../../api/kinds.ts";
import type { Connection } from "../../pos/connector.ts";
import { itemId, type Table } from "../../store/client.ts";
import { recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { recordId } from "../../store/recordId.ts";

/** Reads replicated records of a kind, by POS id. The map has no entry for a record that is not stored. */
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
  return new Map(
    wanted.flatMap((posId) => {
      const item = items.get(itemId(keyOf(posId)));
      return item ? [[posId, JSON.parse(item.body as string) as Found] as const] : [];
    }),
  );
}
