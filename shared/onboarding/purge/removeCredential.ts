import type { Table } from "../../table/client.ts";
import { credentialKey, credentialListKey } from "../../table/keys.ts";
import { type Removed, removePartition } from "../../table/removePartition.ts";
import { untilCommitted } from "../../table/untilCommitted.ts";
import type { Clock } from "../../time/clock.ts";

/** Removes a credential that a service provider owns or has issued, with its tokens. */
export async function removeCredential(
  table: Table,
  spId: string,
  clientId: string,
  clock: Clock,
  removed: Removed,
): Promise<void> {
  const credential = credentialKey(clientId);
  // The credential itself goes last, with what leads to it, so that whoever is cut off finds the rest.
  await removePartition(table, credential.pk, (count) => removed("tokens", count), {
    filter: ({ sk }) => sk?.S !== credential.sk,
  });
  const both = [credential, credentialListKey(spId, clientId)].map((key) => table.deleteWrite(key));
  await untilCommitted(clock, () => table.transact(both));
  removed("credentials", 1);
}
