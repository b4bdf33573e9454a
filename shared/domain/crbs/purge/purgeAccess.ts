import { listCredentials } from "../../../auth/credentials.ts";
import type { Table } from "../../../store/client.ts";
import { idempotencyKey } from "../../../store/keys/crbs.ts";
import { issuedCredentialsKey } from "../../../store/keys/credentials.ts";
import { removeMentions } from "../../../store/organizations.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import type { Clock } from "../../../time/clock.ts";
import { removeCredential } from "./removeCredential.ts";

/**
 * Removes the items of a service provider that refer to a CRB: credentials with their tokens, responses stored for repeated
 * requests, and organization items.
 */
export async function purgeAccess(
  table: Table,
  { crbId, spId }: { crbId: string; spId: string },
  clock: Clock,
  removed: RemovalListener,
): Promise<void> {
  const credentials = (await listCredentials(table, spId)).filter(({ owner }) => owner.id === crbId);
  for (const { client_id } of credentials) await removeCredential(table, spId, client_id, clock, removed);
  await table.delete(issuedCredentialsKey(spId, crbId));
  await removePartition(table, idempotencyKey(spId, "").pk, (count) => removed("idempotency keys", count), {
    attributes: ["crb_id"],
    filter: ({ crb_id }) => crb_id?.S === crbId,
  });
  removed("index entries of organizations", await removeMentions(table, spId, crbId));
}
