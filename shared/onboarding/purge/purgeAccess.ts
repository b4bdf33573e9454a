import { listCredentials } from "../../access/credentials.ts";
import type { Table } from "../../table/client.ts";
import { credentialKey, credentialListKey, idempotencyKey, issuedCredentialsKey } from "../../table/keys.ts";
import { removeMentions } from "../../table/organisations.ts";
import { type Removed, removePartition } from "../../table/removePartition.ts";
import { untilCommitted } from "../../table/untilCommitted.ts";
import type { Clock } from "../../time/clock.ts";

/** Removes what a service provider has because of a CRB: credentials and their tokens, and mentions of the CRB. */
export async function purgeAccess(
  table: Table,
  { crbId, spId }: { crbId: string; spId: string },
  clock: Clock,
  removed: Removed,
): Promise<void> {
  const credentials = (await listCredentials(table, spId)).filter(({ owner }) => owner.id === crbId);
  for (const { client_id } of credentials) {
    const credential = credentialKey(client_id);
    // The credential itself goes last, with what leads to it, so that whoever is cut off finds the rest.
    await removePartition(table, credential.pk, (count) => removed("tokens", count), {
      filter: ({ sk }) => sk?.S !== credential.sk,
    });
    const both = [credential, credentialListKey(spId, client_id)].map((key) => table.deleteWrite(key));
    await untilCommitted(clock, () => table.transact(both));
    removed("credentials", 1);
  }
  await table.delete(issuedCredentialsKey(spId, crbId));
  await removePartition(table, idempotencyKey(spId, "").pk, (count) => removed("remembered requests", count), {
    attributes: ["crb_id"],
    filter: ({ crb_id }) => crb_id?.S === crbId,
  });
  removed("organization items", await removeMentions(table, spId, crbId));
}
