import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { EventType } from "../../api/enumerations.ts";
import { notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import type { FieldChanges } from "../../store/fieldChanges.ts";
import { enabledWebhookKey, webhookEndpointKey } from "../../store/keys/webhooks.ts";
import type { Maker } from "../../store/madeWith.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";

/** A stored secret: sealed, and bound to the endpoint's id. */
export interface SealedSecret {
  sealed: Uint8Array;
  /** ISO 8601: the end of the time in which an earlier secret still signs deliveries; null for the present secret. */
  until: string | null;
  /** Client id of the credential that received the secret in a response; null if no credential received it. */
  by: string | null;
  /** As in `endsWithOf`. */
  ends_with?: readonly string[];
}

/** Why the service disabled an endpoint, as in the event `endpoint.disabled`. */
type DisabledReason = "failures" | "gone" | "credential_revoked" | "credential_expired";

/** A stored webhook endpoint (docs/spec.md#webhooks). */
export interface Endpoint {
  id: string;
  spId: string;
  /** In the normal form of the URL standard. Deliveries use exactly this URL. */
  url: string;
  description: string;
  /** Empty means all types. */
  eventTypes: readonly EventType[];
  enabled: boolean;
  /** ISO 8601, like all dates of this type. */
  createdDate: string;
  /**
   * When the endpoint was created or last enabled, or its URL or event types last changed. Failures before this time no longer
   * delay attempts or disable the endpoint.
   */
  configuredAt: string;
  /** Client id of the credential that created the endpoint; null for the operator. */
  createdBy: string | null;
  createdByPerson: PersonName | null;
  /**
   * Client id of the credential that made the last change; null if the operator made the last change, or there was no change.
   */
  changedBy: string | null;
  changedByPerson: PersonName | null;
  /** The last change of each API field and of `secret`. The creation counts as the first change of all fields. */
  changes: FieldChanges;
  /**
   * The present secret first, then earlier secrets, newest first; earlier secrets may have expired. The list is empty if a
   * revocation has ended all secrets. In this case, the endpoint can be enabled only after it gets a new secret.
   */
  secrets: readonly SealedSecret[];
  /** Raised by each change. A change is only written if the endpoint still has the version that was read. */
  version: number;
  /**
   * Why and when the service disabled the endpoint; null if the service did not disable it, or if the endpoint was enabled
   * again.
   */
  disabled: { reason: DisabledReason; date: string } | null;
}

function toEndpoint(item: Item): Endpoint {
  const { pk, sk, ...endpoint } = item;
  // Endpoints of earlier releases do not record who created them.
  const unrecorded = { createdBy: null, createdByPerson: null, changedBy: null, changedByPerson: null, changes: {} };
  return { ...unrecorded, ...(endpoint as unknown as Endpoint) };
}

/** Reads an endpoint consistently; undefined if the service provider has no endpoint with this id. */
export async function readEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint | undefined> {
  const item = await table.get(webhookEndpointKey(spId, endpointId), { consistent: true });
  return item && toEndpoint(item);
}

/** @throws ServiceError "notFound" if the endpoint does not exist */
export async function requireEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(table, spId, endpointId);
  if (!endpoint) throw notFound("webhook endpoint");
  return endpoint;
}

/** The endpoints of a service provider, newest first; reads consistently. */
export async function readEndpoints(table: Table, spId: string): Promise<Endpoint[]> {
  const { pk, sk: prefix } = webhookEndpointKey(spId, "");
  const items = await table.queryPartition(pk, { prefix, consistent: true });
  return items.map(toEndpoint).sort((one, other) => (one.createdDate < other.createdDate ? 1 : -1));
}

/**
 * Writes that store an endpoint and update the list of enabled endpoints.
 *
 * @param before the endpoint as read; undefined for a new endpoint. The transaction fails if the endpoint has changed since the
 *   read
 */
export function endpointWrites(table: Table, before: Endpoint | undefined, after: Endpoint): TransactWriteItem[] {
  const { id, spId, enabled } = after;
  const listed = enabledWebhookKey(spId, id);
  const stored = { ...webhookEndpointKey(spId, id), ...after, version: (before?.version ?? 0) + 1 };
  const isListed = before?.enabled ?? false;
  return [
    table.putWrite(stored, unchanged("version", before?.version)),
    ...(enabled && !isListed ? [table.putWrite({ ...listed })] : []),
    ...(!enabled && isListed ? [table.deleteWrite(listed)] : []),
  ];
}

/**
 * Changes an endpoint. After a conflict, reads and changes it again.
 *
 * @param change returns the changed endpoint, or the same object if nothing changes; called once per attempt
 * @param by the caller; null for the operator and the service
 * @returns the endpoint after the change
 * @throws ServiceError "notFound" if the endpoint does not exist or is deleted meanwhile; "unauthorized" if the credential or
 *   the key ends meanwhile; errors of `change`
 */
export function changeEndpoint(
  table: Table,
  spId: string,
  endpointId: string,
  change: (endpoint: Endpoint) => Endpoint | Promise<Endpoint>,
  by: Maker | null = null,
): Promise<Endpoint> {
  return retryOnConflict(table.clock, async () => {
    const before = await requireEndpoint(table, spId, endpointId);
    const after = await change(before);
    if (after === before) return before;
    await withActiveCredential(table, by, 0, (check) =>
      table.transact([...check, ...endpointWrites(table, before, after)]),
    );
    return after;
  });
}
