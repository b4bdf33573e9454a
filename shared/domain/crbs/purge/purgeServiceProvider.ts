import { linkedLicenseStatuses } from "../../../api/enumerations.ts";
import type { IdentityProviderSettings } from "../../../api/schemas/identityProvider.ts";
import { listCredentials } from "../../../auth/credentials.ts";
import type { Table } from "../../../store/client.ts";
import { endedAssociations } from "../../../store/endedAssociations.ts";
import { shardNumbers } from "../../../store/eventLog/shards.ts";
import { accessReportsPartition } from "../../../store/keys/accessReports.ts";
import { einKey, idempotencyKey, serviceProviderKey, serviceProviderListKey } from "../../../store/keys/crbs.ts";
import {
  identityProviderKey,
  issuedCredentialsKey,
  issuerKey,
  personKey,
  shortNameKey,
  usedAssertionKey,
} from "../../../store/keys/credentials.ts";
import { eventHeadPartitions, eventsPartition } from "../../../store/keys/events.ts";
import { providerInsightsPartition } from "../../../store/keys/insights.ts";
import { invitationMailsKey } from "../../../store/keys/invitations.ts";
import { crbLicensesPartition } from "../../../store/keys/licenses.ts";
import { documentsToReviewPartition, templateKey } from "../../../store/keys/onboarding.ts";
import { crbList, licenseStatusList } from "../../../store/keys/orderedLists.ts";
import { overviewPartition } from "../../../store/keys/overview.ts";
import {
  enabledWebhookKey,
  webhookEndpointKey,
  webhookEndpointsKey,
  webhookPositionKey,
} from "../../../store/keys/webhooks.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import { retryOnConflict } from "../../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../../time/clock.ts";
import { removeCredential } from "./removeCredential.ts";

/**
 * Milliseconds to wait after the service provider is marked as being removed. A query may show only some items of a
 * transaction that has just committed. After this delay, it shows all transactions that committed before the mark was set.
 */
const visibilityDelayMs = 1_000;

/**
 * The result. `unknown`: the service provider does not exist. `hasCrbs`: the service provider still has stored CRBs, so
 * nothing was removed.
 */
export type ProviderPurge = { outcome: "purged" | "unknown" } | { outcome: "hasCrbs"; crbIds: string[] };

/**
 * The ids of a service provider's stored CRBs: the associated CRBs, and the CRBs whose association has ended but whose data is
 * not purged.
 */
export async function storedCrbs(table: Table, spId: string, now: Date): Promise<string[]> {
  const associated = await table.queryPartition(crbList(spId).pk, { consistent: true });
  const ended = await endedAssociations(table, now);
  const left = ended.flatMap(({ crbId, crb }) => (crb?.serviceProviderId === spId ? [crbId] : []));
  return [...new Set([...associated.map(({ sk }) => sk), ...left])];
}

/**
 * Removes all data of a service provider that has no CRBs, including its events. First marks the service provider as being
 * removed, so that nothing more can be created for it (`forServiceProvider`). The service provider's own item is removed last,
 * so after a crash a second call completes the removal. The delivery logs of its webhook endpoints are not removed, but expire.
 *
 * @param options.before awaited before anything is removed, with the client ids of the service provider's credentials. Not
 *   called if CRBs are still stored
 */
export async function purgeServiceProvider(
  table: Table,
  spId: string,
  options: { clock?: Clock; removed?: RemovalListener; before?: (clientIds: readonly string[]) => Promise<void> } = {},
): Promise<ProviderPurge> {
  const { clock = systemClock, removed = () => undefined, before } = options;
  const goesOn = () =>
    table.change(serviceProviderKey(spId), { expression: "REMOVE removingSince" }, "attribute_exists(pk)");
  const had = await storedCrbs(table, spId, clock.now());
  if (had.length > 0) {
    // An earlier call may have crashed after it set the mark, so delete the mark.
    await goesOn();
    return { outcome: "hasCrbs", crbIds: had };
  }
  const mark = { expression: "SET removingSince = :now", values: { ":now": clock.now().toISOString() } };
  const { done } = await table.change(serviceProviderKey(spId), mark, "attribute_exists(pk)");
  if (!done) return { outcome: "unknown" };
  await clock.sleep(visibilityDelayMs);
  const crbIds = await storedCrbs(table, spId, clock.now());
  if (crbIds.length > 0) {
    await goesOn();
    return { outcome: "hasCrbs", crbIds };
  }
  const credentials = await listCredentials(table, spId);
  try {
    await before?.(credentials.map(({ client_id }) => client_id));
  } catch (error) {
    await goesOn();
    throw error;
  }
  for (const { client_id } of credentials) await removeCredential(table, spId, client_id, clock, removed);
  await purgeEndpoints(table, spId, removed);
  const settings = (await table.get(identityProviderKey(spId), { consistent: true }))?.settings as
    | IdentityProviderSettings
    | undefined;
  if (settings) {
    const claims = [shortNameKey(settings.short_name), issuerKey(settings.issuer, settings.client_id)];
    for (const key of claims) await table.delete(key);
  }
  const crbLists = [crbList(spId), ...linkedLicenseStatuses.map((status) => licenseStatusList(spId, status))];
  const partitions = [
    ...crbLists.flatMap(({ pk, orders }) => [pk, orders.rank.dayIndexPartition, orders.rank.slots]),
    crbLicensesPartition(spId),
    ...[templateKey(spId, ""), idempotencyKey(spId, ""), invitationMailsKey(spId, "")].map((key) => key.pk),
    ...[einKey(spId, ""), issuedCredentialsKey(spId, "")].map((key) => key.pk),
    documentsToReviewPartition(spId),
    identityProviderKey(spId).pk,
    usedAssertionKey(spId, "").pk,
    personKey(spId, "").pk,
    providerInsightsPartition(spId),
    accessReportsPartition(spId),
    overviewPartition(spId),
    ...shardNumbers.map((shard) => eventsPartition(spId, shard)),
    ...eventHeadPartitions(spId),
  ];
  for (const each of partitions) await removePartition(table, each, (count) => removed("belongings", count));
  const last = [serviceProviderKey(spId), serviceProviderListKey(spId)].map((key) => table.deleteWrite(key));
  await retryOnConflict(clock, () => table.transact(last));
  return { outcome: "purged" };
}

async function purgeEndpoints(table: Table, spId: string, removed: RemovalListener): Promise<void> {
  const listed = await table.get(webhookEndpointsKey(spId), { consistent: true });
  for (const id of (listed?.ids ?? []) as Iterable<string>) {
    await table.delete(enabledWebhookKey(spId, id));
    await removePartition(table, webhookPositionKey(id, 0).pk, (count) => removed("belongings", count));
  }
  await removePartition(table, webhookEndpointKey(spId, "").pk, (count) => removed("belongings", count));
}
