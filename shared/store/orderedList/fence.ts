import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../client.ts";
import type { Key } from "../keys/key.ts";
import { isUnmet } from "../retryOnConflict.ts";

/** The replication lease under which a writer works: the item that holds it, and the number that must still stand there. */
export interface Fence {
  key: Key;
  number: number;
}

/** Another holder has taken the lease over: the writer must stop, nothing of its last transaction was stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Reads whether a fence still stands. @throws LeaseLostError when it does not */
export async function checkFence(table: Table, { key, number }: Fence): Promise<void> {
  const stored = await table.get(key, { consistent: true });
  if (stored?.fence !== number) throw new LeaseLostError("the lease was taken over");
}

/**
 * Commits writes only while the fence stands.
 *
 * @param writes 99 at most
 * @throws LeaseLostError when it does not; TransactionCanceledException when a condition of the writes does not hold
 */
export function transactFenced(table: Table, fence: Fence, writes: readonly TransactWriteItem[]): Promise<void> {
  return withFence(table, fence, (stands) => table.transact([stands, ...writes]));
}

/**
 * The same for a transaction that is made otherwise.
 *
 * @param transact is given what is to be its first write
 */
export async function withFence(
  table: Table,
  fence: Fence,
  transact: (stands: TransactWriteItem) => Promise<void>,
): Promise<void> {
  const stands = table.checkWrite(fence.key, { expression: "fence = :fence", values: { ":fence": fence.number } });
  try {
    await transact(stands);
  } catch (error) {
    if (isUnmet(error, 0)) throw new LeaseLostError("the lease was taken over");
    throw error;
  }
}
