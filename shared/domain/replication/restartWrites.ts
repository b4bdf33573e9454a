import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { recordKinds } from "../../api/kinds.ts";
import { itemId, type Table } from "../../store/client.ts";
import { fenceKey, rejectedRecordsKey, replicationKey } from "../../store/keys/replication.ts";
import type { ReplicationState } from "./replicationState.ts";

/** The attributes with the progress of runs, and with the time zone of the records that they have read. */
const ofRuns: readonly (keyof ReplicationState)[] = ["since", "position", "seen_parts", "timezone"];

/** The attributes that belong to one connection: the progress of its runs, and facts about its data. */
const ofConnection: readonly (keyof ReplicationState)[] = [
  ...ofRuns,
  "started_at",
  "succeeded_at",
  "succeeded_from",
  "first_succeeded_at",
  "succeeded_counts",
  "data_as_of",
  "unconfirmed",
  "empty_since",
  "in_stock",
];

/**
 * Writes that end every replication of a CRB, for the transaction that creates, changes or removes the connection. A worker
 * that uses the old connection loses its lease, so it sends no more requests to the POS and stores no more responses. Pauses
 * after failures end, too.
 *
 * @param options.isNewSource discards the progress of runs and the facts about the data of the earlier connection
 * @param options.isFullRead discards the progress of runs, so that the next run reads everything; keeps the facts about the
 *   data
 */
export async function restartWrites(
  table: Table,
  crbId: string,
  { isNewSource = false, isFullRead = false }: { isNewSource?: boolean; isFullRead?: boolean } = {},
): Promise<TransactWriteItem[]> {
  const states = await table.batchGet(
    recordKinds.map((kind) => replicationKey(crbId, kind)),
    { consistent: true, attributes: ["fence"] },
  );
  const forgotten = isNewSource ? ofConnection : isFullRead ? ofRuns : [];
  const emptied: (keyof ReplicationState)[] = ["error", "failing_since", "not_before", ...forgotten];
  const names = Object.fromEntries(emptied.map((name, i) => [`#${i}`, name]));
  const nothing = Object.keys(names).map((name) => `${name} = :nothing`);
  const expression = `SET ${nothing.join(", ")}, attempts = :zero, held_until = :zero, fence = :next`;
  return [
    ...recordKinds.flatMap((kind) => {
      const key = replicationKey(crbId, kind);
      const fence = states.get(itemId(key))?.fence;
      if (fence === undefined) return [table.checkWrite(key, { expression: "attribute_not_exists(pk)" })];
      const values = { ":nothing": null, ":zero": 0, ":next": Number(fence) + 1, ":fence": fence };
      return [
        table.updateWrite(key, { expression, names, values }, "fence = :fence"),
        ...(isNewSource ? [table.deleteWrite(rejectedRecordsKey(crbId, kind))] : []),
        table.putWrite({ ...fenceKey(crbId, kind), fence: Number(fence) + 1 }),
      ];
    }),
  ];
}
