import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { recordKinds } from "../kinds.ts";
import { itemId, type Table } from "../table/client.ts";
import { fenceKey, replicationKey } from "../table/keys.ts";
import { firstTurnWrites } from "../table/replicationDue.ts";

/**
 * What lets every replication of a CRB begin at once when its connection has been changed, for that transaction: pauses
 * after failures end, and whoever is at it with the connection as it was has lost the lease, so that nothing comes of
 * what the POS answers to that any more.
 *
 * @param options.anew forgets how far the runs have come
 */
export async function restartWrites(
  table: Table,
  crbId: string,
  now: Date,
  { anew = false }: { anew?: boolean } = {},
): Promise<TransactWriteItem[]> {
  const states = await table.batchGet(
    recordKinds.map((kind) => replicationKey(crbId, kind)),
    { consistent: true, attributes: ["fence"] },
  );
  const ended = ["#error = :nothing", "#pause = :nothing", "#attempts = :zero", "#held = :zero", "#fence = :next"];
  const forgotten = anew ? ["#since = :nothing", "#from = :nothing", "#position = :nothing", "#seen = :nothing"] : [];
  const names = {
    "#error": "error",
    "#pause": "not_before",
    "#attempts": "attempts",
    "#held": "held_until",
    "#fence": "fence",
    ...(anew && { "#since": "since", "#from": "succeeded_from", "#position": "position", "#seen": "seen_parts" }),
  };
  return [
    ...recordKinds.flatMap((kind) => {
      const key = replicationKey(crbId, kind);
      const fence = states.get(itemId(key))?.fence;
      if (fence === undefined) return [table.checkWrite(key, { expression: "attribute_not_exists(pk)" })];
      const values = { ":nothing": null, ":zero": 0, ":next": Number(fence) + 1, ":fence": fence };
      const expression = `SET ${[...ended, ...forgotten].join(", ")}`;
      return [
        table.updateWrite(key, { expression, names, values }, "#fence = :fence"),
        table.putWrite({ ...fenceKey(crbId, kind), fence: Number(fence) + 1 }),
      ];
    }),
    ...firstTurnWrites(table, crbId, now),
  ];
}
