import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unauthorized } from "../api/errors.ts";
import type { Condition, Table } from "../store/client.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import type { Maker } from "../store/madeWith.ts";
import { isUnmet } from "../store/retryOnConflict.ts";

const isActive =
  "attribute_exists(pk) AND attribute_not_exists(revoked_at) AND (attribute_not_exists(expires_at) OR expires_at > :now)";

/**
 * The condition that a credential exists, is not revoked and has not expired.
 *
 * @param key thumbprint of a key that the credential must have; undefined for a caller without a key
 */
export const activeCredentialCondition = (now: Date, key?: string): Condition => ({
  expression: key === undefined ? isActive : `${isActive} AND attribute_exists(public_keys.#key)`,
  ...(key !== undefined && { names: { "#key": key } }),
  values: { ":now": now.toISOString() },
});

/**
 * Commits a transaction that a credential requested, on condition that the credential is still active and has the key
 * of the caller's token. A revoked credential or an ended key can therefore create nothing, and a search after the end
 * finds everything that was created.
 *
 * @param by the caller; null if no credential requested the transaction: then nothing is checked
 * @param place index of the check among the writes of the transaction
 * @param make commits the transaction; it must put the check at the index `place`
 * @throws ServiceError "unauthorized" if the credential is not active or lacks the key; errors of `make`
 */
export async function withActiveCredential<T>(
  table: Table,
  by: Maker | null,
  place: number,
  make: (check: TransactWriteItem[]) => Promise<T>,
): Promise<T> {
  if (by === null) return make([]);
  try {
    const condition = activeCredentialCondition(table.clock.now(), by.key);
    return await make([table.checkWrite(credentialKey(by.clientId), condition)]);
  } catch (error) {
    throw isUnmet(error, place) ? unauthorized() : error;
  }
}
