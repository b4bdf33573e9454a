import type { Table } from "../../store/client.ts";
import { depositPartition, reconciledCrbKey, reconciliationPartition } from "../../store/keys/deposits.ts";
import { type RemovalListener, removePartition } from "../../store/removePartition.ts";

/** Removes the deposits, cash counts and settings of a CRB. A second call finishes an interrupted one. */
export async function removeDeposits(table: Table, crbId: string, removed: RemovalListener): Promise<void> {
  await removePartition(table, depositPartition(crbId), (count) => removed("deposits", count));
  await removePartition(table, reconciliationPartition(crbId), (count) => removed("sums of deposits", count));
  await table.batchDelete([reconciledCrbKey(crbId)]);
}
