import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { EventType } from "../../api/enumerations.ts";
import { notFound } from "../../api/errors.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import type { FieldChanges } from "../../store/fieldChanges.ts";
import { enabledWebhookKey, webhookEndpointKey } from "../../store/keys/webhooks.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";

/** A secret of an endpoint as it is stored: sealed, and bound to the endpoint's id. */
export interface SealedSecret {
  sealed: Uint8Array;
  /** ISO 8601: until when it signs beside the newer ones; of the present one null. */
  until: string | null;
  /** Client id of the credential to which it was shown; null if it was shown to none. */
  by: string | null;
}

/** Why the service disables an endpoint, as the event `endpoint.disabled` says it. */
type DisabledReason = "failures" | "gone" | "credential_revoked";

/** A webhook endpoint as it is stored (docs/spec.md#webhooks). */
export interface Endpoint {
  id: string;
  spId: string;
  /** In the form in which it is called: that of the URL standard. */
  url: string;
  description: string;
  /** All when empty. */
  eventTypes: readonly EventType[];
  enabled: boolean;
  /** ISO 8601, as all dates here. */
  createdDate: string;
  /**
   * When it was made, last enabled, or last given its url or other types of events: what was noted of failures before counts
   * no more, neither the next attempt nor how long it has failed.
   */
  configuredAt: string;
  /** Client id of the credential that made it; null if the operator did. */
  createdBy: string | null;
  /** Client id of the credential that changed it last; null until it is changed. */
  changedBy: string | null;
  /** The last changes, by field name in the API and for `secret`; the creation sets all of them. */
  changes: FieldChanges;
  /**
   * The present one first, then earlier ones, newest first; some of these may have expired. Empty after a revocation
   * has ended them: a new one allows the endpoint to be enabled.
   */
  secrets: readonly SealedSecret[];
  /** Raised by each change, which is conditional on it. */
  version: number;
  /** Why the service itself disabled it, and when; null where it did not, or it was enabled since. */
  disabled: { reason: DisabledReason; date: string } | null;
}

function toEndpoint(item: Item): Endpoint {
  const { pk, sk, ...endpoint } = item;
  // Endpoints of earlier releases have no record of their maker.
  const unrecorded = { createdBy: null, changedBy: null, changes: {} };
  return { ...unrecorded, ...(endpoint as unknown as Endpoint) };
}

/** Reads an endpoint, consistently; undefined where there is none of this id, or it is another service provider's. */
export async function readEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint | undefined> {
  const item = await table.get(webhookEndpointKey(spId, endpointId), { consistent: true });
  return item && toEndpoint(item);
}

/** `readEndpoint` of one that there is. @throws ServiceError "notFound" */
export async function requireEndpoint(table: Table, spId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(table, spId, endpointId);
  if (!endpoint) throw notFound();
  return endpoint;
}

/** The endpoints of a service provider, consistently; the newest first. */
export async function readEndpoints(table: Table, spId: string): Promise<Endpoint[]> {
  const { pk, sk: prefix } = webhookEndpointKey(spId, "");
  const items = await table.queryPartition(pk, { prefix, consistent: true });
  return items.map(toEndpoint).sort((one, other) => (one.createdDate < other.createdDate ? 1 : -1));
}

/**
 * What stores an endpoint, for a transaction, and keeps the list of those that are enabled.
 *
 * @param before as it was read; undefined for a new one. Refused when it has been changed or deleted since
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
 * Changes an endpoint; read and changed anew when somebody else was faster.
 *
 * @param change answers the endpoint as it is to be; the same object leaves it as it is. Called once for each try
 * @param by client id of the credential that changes it; null for the operator and the service
 * @returns the endpoint afterwards
 * @throws ServiceError "notFound" when there is none, or it is deleted meanwhile; "unauthorized" when the credential is
 *   revoked meanwhile; what `change` throws
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
