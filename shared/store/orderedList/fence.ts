import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../client.ts";
import type { Key } from "../keys/key.ts";
import { isUnmet } from "../retryOnConflict.ts";

/** The lease under which a writer works: the key of the lease item, and the number that it must still have. */
export interface Fence {
  key: Key;
  number: number;
}

/** Another worker has acquired the lease. The writer must stop. Its last transaction was not stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** @throws LeaseLostError if the lease item has another number */
export async function checkFence(table: Table, { key, number }: Fence): Promise<void> {
  const stored = await table.get(key, { consistent: true });
  if (stored?.fence !== number) throw new LeaseLostError("the lease was taken over");
}

/**
 * Commits writes (99 at most) only if the fence is still valid.
 *
 * @throws LeaseLostError if the fence is not valid; TransactionCanceledException if a condition of the writes does not hold
 */
export const transactFenced = (table: Table, fence: Fence, writes: readonly TransactWriteItem[]): Promise<void> =>
  withFence(table, fence, (stands) => table.transact([stands, ...writes]));

/** Like `transactFenced`, but the caller commits the transaction, with the check of the fence as its first write. */
export async function withFence(
  table: Table,
  fence: Fence,
  transact: (stands: TransactWriteItem) => Promise<void>,
): Promise<void> {
  const stands = table.checkWrite(fence.key, { expression: "fence = :fence", values: { ":fence": fence.number } });
  try {
    await transact(stands);
  } catch (error) {
    throw isUnmet(error, 0) ? new LeaseLostError("the lease was taken over") : error;
  }
}
