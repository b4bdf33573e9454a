import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Condition, Table } from "../table/client.ts";
import { credentialKey } from "../table/keys.ts";
import { isUnmet } from "../table/untilCommitted.ts";

/** The condition that a credential exists, is not revoked and has not expired. */
export const isActive = (now: Date): Condition => ({
  expression:
    "attribute_exists(pk) AND attribute_not_exists(revoked_at) AND (attribute_not_exists(expires_at) OR expires_at > :now)",
  values: { ":now": now.toISOString() },
});

/**
 * Makes something for a credential in a transaction that is refused once the credential is revoked. So what a search after
 * the revocation finds is all that the credential has ever made.
 *
 * @param clientId null where no credential is behind it: then there is nothing to check
 * @param place of the check among the writes of the transaction
 * @param make commits a transaction that has the check at that place
 * @throws ServiceError "unauthorized" when the credential is not active; what `make` throws
 */
export async function whileActive<T>(
  table: Table,
  clientId: string | null,
  place: number,
  make: (check: TransactWriteItem[]) => Promise<T>,
): Promise<T> {
  if (clientId === null) return make([]);
  try {
    return await make([table.checkWrite(credentialKey(clientId), isActive(table.clock.now()))]);
  } catch (error) {
    throw isUnmet(error, place) ? unauthorized() : error;
  }
}
