import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Condition, Table } from "../store/client.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { isUnmet } from "../store/retryOnConflict.ts";

/** The condition that a credential exists, is not revoked and has not expired. */
export const activeCredentialCondition = (now: Date): Condition => ({
  expression:
    "attribute_exists(pk) AND attribute_not_exists(revoked_at) AND (attribute_not_exists(expires_at) OR expires_at > :now)",
  values: { ":now": now.toISOString() },
});

/**
 * Commits a transaction that a credential requested, on condition that the credential is still active. A revoked
 * credential can therefore create nothing, and a search after the revocation finds everything that the credential has
 * created.
 *
 * @param clientId the client id of the credential; null if no credential requested the transaction: then nothing is
 * checked
 * @param place index of the check among the writes of the transaction
 * @param make commits the transaction; it must put the check at the index `place`
 * @throws ServiceError "unauthorized" if the credential is not active; errors of `make`
 */
export async function withActiveCredential<T>(
  table: Table,
  clientId: string | null,
  place: number,
  make: (check: TransactWriteItem[]) => Promise<T>,
): Promise<T> {
  if (clientId === null) return make([]);
  try {
    return await make([table.checkWrite(credentialKey(clientId), activeCredentialCondition(table.clock.now()))]);
  } catch (error) {
    throw isUnmet(error, place) ? unauthorized() : error;
  }
}
