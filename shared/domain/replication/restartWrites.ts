import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { recordKinds } from "../../api/kinds.ts";
import { itemId, type Table } from "../../store/client.ts";
import { fenceKey, rejectedRecordsKey, replicationKey } from "../../store/keys/replication.ts";
import type { ReplicationState } from "./replicationState.ts";

/** How far the runs of a connection have come. */
const ofRuns: readonly (keyof ReplicationState)[] = ["since", "position", "seen_parts"];

/** What belongs to a connection: how far its runs have come, and what they tell of its data. */
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
 * What ends every replication of a CRB when its connection is made, changed or taken away, for that transaction: whoever is
 * at it with the connection as it was has lost the lease, so that nothing is asked of the POS with that, and nothing comes
 * of its answers, any more. Pauses after failures end, too.
 *
 * @param options.anew forgets the connection before: how far its runs have come, and what they told
 * @param options.again has everything read again by the same connection, whose records stay as good as they are
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
