import { type ListedCredential, noticeKeys } from "../../../auth/credentials.ts";
import type { Table } from "../../../store/client.ts";
import { credentialKey, credentialListKey, credentialUseKey, tokenCountKey } from "../../../store/keys/credentials.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import { retryOnConflict } from "../../../store/retryOnConflict.ts";
import type { Clock } from "../../../time/clock.ts";

/** Removes a credential that a service provider owns or has issued, and the credential's tokens. */
export async function removeCredential(
  table: Table,
  spId: string,
  clientId: string,
  clock: Clock,
  removed: RemovalListener,
): Promise<void> {
  // The credential and the item that lists it are removed last, so that after a crash the next call still finds the tokens.
  // Tokens that are issued meanwhile grant no access without the credential, and expire.
  await removePartition(table, tokenCountKey(clientId).pk, (count) => removed("tokens", count));
  const credential = await table.get(credentialKey(clientId), { consistent: true });
  const last = [
    credentialKey(clientId),
    credentialUseKey(clientId),
    credentialListKey(spId, clientId),
    ...(credential ? noticeKeys(credential as unknown as ListedCredential) : []),
  ];
  await retryOnConflict(clock, () => table.transact(last.map((key) => table.deleteWrite(key))));
  removed("credentials", 1);
}
