import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { EventType } from "../../api/enumerations.ts";
import { notFound } from "../../api/errors.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import type { FieldChanges } from "../../store/fieldChanges.ts";
import { enabledWebhookKey, webhookEndpointKey } from "../../store/keys/webhooks.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";

/** A stored secret: sealed, and bound to the endpoint's id. */
export interface SealedSecret {
  sealed: Uint8Array;
  /** ISO 8601: until when the secret signs together with newer ones; null for the present secret. */
  until: string | null;
  /** Client id of the credential that received it; null if none did. */
  by: string | null;
}

/** Why the service disabled an endpoint, as in the event `endpoint.disabled`. */
type DisabledReason = "failures" | "gone" | "credential_revoked";

/** A stored webhook endpoint (docs/spec.md#webhooks). */
export interface Endpoint {
  id: string;
  spId: string;
  /** In the normal form of the URL standard, as it is called. */
  url: string;
  description: string;
  /** Empty means all types. */
  eventTypes: readonly EventType[];
  enabled: boolean;
  /** ISO 8601, like all dates here. */
  createdDate: string;
  /**
   * When the endpoint was created, last enabled, or last given another URL or other event types. Earlier failures no longer
   * count: they delay no attempt and do not disable the endpoint.
   */
  configuredAt: string;
  /** Client id of the credential that created it; null for the operator. */
  createdBy: string | null;
  /** Client id of the credential that changed it last; null if the operator did, or until the first change. */
  changedBy: string | null;
  /** The last change of each API field and of `secret`; creation sets all of them. */
  changes: FieldChanges;
  /**
   * The present secret first, then earlier ones, newest first; earlier ones may have expired. Empty after a revocation ended
   * them: the endpoint can be enabled once it has a new secret.
   */
  secrets: readonly SealedSecret[];
  /** Raised by each change. A change requires the version that it read. */
  version: number;
  /** Why and when the service disabled it; null if it did not, or the endpoint was enabled since. */
  disabled: { reason: DisabledReason; date: string } | null;
}

function toEndpoint(item: Item): Endpoint {
  const { pk, sk, ...endpoint } = item;
  // Endpoints of earlier releases do not record who created them.
  const unrecorded = { createdBy: null, changedBy: null, changes: {} };
  return { ...unrecorded, ...(endpoint as unknown as Endpoint) };
}

/** Reads an endpoint consistently; undefined if the service provider has none with this id. */
export async function readEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint | undefined> {
  const item = await table.get(webhookEndpointKey(spId, endpointId), { consistent: true });
  return item && toEndpoint(item);
}

/** @throws ServiceError "notFound" if the endpoint does not exist */
export async function requireEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(table, spId, endpointId);
  if (!endpoint) throw notFound();
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
 * @param before the endpoint as read; undefined for a new one. The transaction fails if it was changed or deleted since
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
 * @param change returns the changed endpoint, or the same object for no change; called once per try
 * @param by client id of the credential that makes the change; null for the operator and the service
 * @returns the endpoint afterwards
 * @throws ServiceError "notFound" if it does not exist or is deleted meanwhile; "unauthorized" if the credential is revoked
 *   meanwhile; errors of `change`
 */
export function changeEndpoint(
  table: Table,
  spId: string,
  endpointId: string,
  change: (endpoint: Endpoint) => Endpoint | Promise<Endpoint>,
  by: string | null = null,
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
