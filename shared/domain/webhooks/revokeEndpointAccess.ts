import type { Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { fieldsSetBy } from "../../store/fieldChanges.ts";
import { isMadeWith } from "../../store/madeWith.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Endpoint, endpointWrites, readEndpoint } from "./endpoint.ts";

/** Why the access of a credential ended. */
export type CredentialEnd = "credential_revoked" | "credential_expired";

/**
 * Whether the revocation of these credentials changes an endpoint: one of the credentials was the last to set a field, or
 * received a secret.
 */
export const isAffectedByRevocation = ({ changes, secrets }: Endpoint, clientIds: ReadonlySet<string>): boolean =>
  fieldsSetBy(changes, clientIds).length > 0 || secrets.some((secret) => isMadeWith(clientIds, secret.by, secret));

/**
 * Ends the access of revoked or expired credentials to an endpoint. If one of the credentials was the last to set a
 * field, the endpoint is disabled and all its secrets end at once. If the endpoint was enabled, the event
 * `endpoint.disabled` is recorded. The service provider then has to rotate the secret and enable the endpoint. If none
 * of the credentials was the last to set a field, only the secrets that these credentials received end. A second call
 * changes nothing.
 */
export async function revokeEndpointAccess(
  table: Table,
  spId: string,
  endpointId: string,
  clientIds: ReadonlySet<string>,
  reason: CredentialEnd,
): Promise<void> {
  await retryOnConflict(table.clock, async () => {
    const before = await readEndpoint(table, spId, endpointId);
    if (!before || !isAffectedByRevocation(before, clientIds)) return;
    const fields = fieldsSetBy(before.changes, clientIds);
    if (fields.length === 0) {
      const secrets = before.secrets.filter((secret) => !isMadeWith(clientIds, secret.by, secret));
      await table.transact(endpointWrites(table, before, { ...before, secrets }));
      return;
    }
    const ended = fields.map(([field, change]) => [field, { ...change, isEnded: true as const }] as const);
    const after: Endpoint = {
      ...before,
      enabled: false,
      secrets: [],
      changes: { ...before.changes, ...Object.fromEntries(ended) },
      disabled: { reason, date: table.clock.now().toISOString() },
    };
    const event = { type: "endpoint.disabled", spId, crbId: null, data: { endpoint_id: endpointId, reason } } as const;
    const writes = endpointWrites(table, before, after);
    await commitWithEvents(table, { writes, events: before.enabled ? [event] : [] }, table.clock);
  });
}
