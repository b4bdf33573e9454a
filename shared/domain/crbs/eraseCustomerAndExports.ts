import { type Clock, systemClock } from "../../time/clock.ts";
import { endExportsOfErased } from "../exports/endExport.ts";
import { eraseCustomer, planErasure } from "../replication/eraseCustomer.ts";
import type { Stores } from "./revokeCredentialAndResources.ts";

/**
 * Erases a customer (`eraseCustomer`), then deletes the exports that may hold the customer. If a call is interrupted,
 * another call finishes its work.
 *
 * @returns the result of `eraseCustomer`
 * @throws ServiceError "unavailable" if the bucket cannot be reached; errors of `eraseCustomer`
 */
export async function eraseCustomerAndExports(
  { table, bucket }: Stores,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
) {
  const erased = await eraseCustomer(table, crbId, customerId, { clock });
  if (erased) await endExportsOfErased({ table, bucket }, crbId, clock);
  return erased;
}

/**
 * Plans the erasure of a customer of a CRB that is restored (`planErasure`), and deletes the exports that may hold the customer.
 *
 * @returns whether the CRB exists and is not being purged
 */
export async function planErasureAndEndExports(
  { table, bucket }: Stores,
  crbId: string,
  customerId: string,
  clock: Clock,
): Promise<boolean> {
  const isPlanned = await planErasure(table, crbId, customerId, clock);
  if (isPlanned) await endExportsOfErased({ table, bucket }, crbId, clock);
  return isPlanned;
}
