import { type ListedCredential, listCredentials } from "../../auth/credentials.ts";
import { buildRevocations, revokeAllFound } from "../../auth/revoke.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbLicensesWrites, readCrbLicenses } from "../../store/crbLicenses.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { deriveCrbEvents } from "../../store/eventLog/deriveCrbEvents.ts";
import { associationKey, crbKey, endedCrbKey, posCredentialsKey } from "../../store/keys/crbs.ts";
import { issuedCredentialsKey } from "../../store/keys/credentials.ts";
import { invitationTokenKey } from "../../store/keys/invitations.ts";
import type { Key } from "../../store/keys/key.ts";
import { crbList } from "../../store/keys/orderedLists.ts";
import { loadOrderState } from "../../store/orderedList/orderState.ts";
import { planMoves } from "../../store/orderedList/planMoves.ts";
import { organizationWrites } from "../../store/organizations.ts";
import { replicationDueWrites } from "../../store/replicationDue.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { connectionsEndWrites } from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { removeDocumentsToReview } from "../documents/documentsToReview.ts";
import { type EndedLinks, endLinks } from "../documents/endLinks.ts";
import { endExports } from "../exports/endExport.ts";
import { unlistInsights } from "../insights/removeInsights.ts";
import { readInvitations } from "../invitations/invitations.ts";
import { removeLinks } from "../linkedLicenses/unlinkLicense.ts";
import { readOnboarding } from "../onboarding/readOnboarding.ts";
import { restartWrites } from "../replication/restartWrites.ts";
import { endStatementLinks } from "../statements/endStatementLinks.ts";

/**
 * Ends the association of a CRB with its service provider (docs/spec.md#end-of-an-association). Removes the CRB from the
 * service provider's list, revokes the CRB's credentials, unlinks its licenses, and ends its exports and the links of its
 * invited users, documents, statements and uploads. Also ends the POS connection, so replications and uploads in progress store nothing
 * more. The CRB's records stay.
 *
 * If a call is interrupted, a second call completes it. The second call also revokes credentials that were issued during the
 * first call.
 *
 * @param endedAt the end of the association; the retention period begins then
 * @returns the revoked client ids, the ended links, and whether there was an association; undefined if the CRB does not exist
 */
export async function endAssociation(
  table: Table,
  bucket: Bucket,
  crbId: string,
  clock: Clock = systemClock,
  endedAt: Date = clock.now(),
): Promise<{ ended: boolean; revoked: string[]; links: EndedLinks } | undefined> {
  const ended = await retryOnConflict(clock, () => leaveList(table, crbId, clock, endedAt));
  if (!ended) return undefined;
  const left = await revokeAllFound(table, () => goodCredentials(table, ended.serviceProviderId, crbId), clock);
  // No new tokens can appear, because `newLink` requires the association.
  await table.batchDelete(await invitationTokens(table, crbId));
  // No new links can appear, because `linkLicense` requires the association.
  await removeLinks(table, ended.serviceProviderId, crbId, clock);
  const revoked = [...ended.revoked, ...left].map(({ client_id }) => client_id);
  // No new exports can appear, because `createExport` requires the association.
  await endExports({ table, bucket }, crbId, { status: "deleted", reason: "association_ended" }, clock);
  await removeDocumentsToReview(table, ended.serviceProviderId, crbId);
  await unlistInsights(table, { spId: ended.serviceProviderId, crbId }, clock.now());
  // No new statements can appear, because `createStatement` requires the association.
  await endStatementLinks(table, bucket, crbId);
  const documents = (await readOnboarding(table, crbId))?.documents ?? [];
  return { ended: ended.associated, revoked, links: await endLinks(table, bucket, crbId, documents) };
}

async function leaveList(table: Table, crbId: string, clock: Clock, endedAt: Date) {
  const item = await table.get(crbKey(crbId), { consistent: true });
  if (!item) return undefined;
  const crb = toCrb(item);
  const { serviceProviderId, record } = crb;
  const association = associationKey(serviceProviderId, crbId);
  const rank = (await table.get(association, { consistent: true }))?.rank as string | undefined;
  const ended: Crb = { ...crb, endedAt: crb.endedAt ?? endedAt.toISOString() };
  // Without an end time, the association has ended in an earlier release, or a restore has only a part of the transaction below.
  if (rank === undefined && crb.endedAt) return { serviceProviderId, associated: false, revoked: [] };
  const revoked = (await goodCredentials(table, serviceProviderId, crbId)).slice(0, endedAtOnce);
  const tokens = (await invitationTokens(table, crbId)).slice(0, endedAtOnce - revoked.length);
  const now = clock.now();
  const disconnected = record.pos_configs.reduce(
    (configs, { name }) => applyPosConfigMove(configs, name, "remove", now) ?? configs,
    record.pos_configs,
  );
  const after = { ...ended, record: { ...record, pos_configs: disconnected }, connection: null };
  const revocation = buildRevocations(table, revoked, now);
  const names = { spId: serviceProviderId, crbId };
  const writes = [
    ...endWrites(table, item, after),
    table.deleteWrite(association, unchanged("rank", rank)),
    table.deleteWrite(issuedCredentialsKey(serviceProviderId, crbId)),
    table.deleteWrite(posCredentialsKey(crbId)),
    ...connectionsEndWrites(table, crbId),
    ...organizationWrites(table, crb, undefined),
    ...replicationDueWrites(table, crb, undefined, now),
    ...(await restartWrites(table, crbId)),
    ...(rank === undefined ? [] : await leaveWrites(table, serviceProviderId, rank, now)),
    ...revocation.writes,
    ...tokens.map((key) => table.deleteWrite(key)),
    ...(await crbLicensesWrites(table, names, await readCrbLicenses(table, names), {}, now)),
  ];
  const end = { type: "crb.association.ended", spId: serviceProviderId, crbId, data: {} } as const;
  await commitWithEvents(table, { writes, events: [...deriveCrbEvents(crb, after), ...revocation.events, end] }, clock);
  return { serviceProviderId, associated: rank !== undefined, revoked };
}

/** Writes that remove a CRB from the service provider's list. */
async function leaveWrites(table: Table, serviceProviderId: string, rank: string, now: Date) {
  const places = await loadOrderState(table, crbList(serviceProviderId).orders.rank, [rank]);
  return planMoves(table, places, [{ from: rank }], now).writes;
}

/** Maximum number of credentials and user links that the transaction ends in addition to its other writes. */
const endedAtOnce = 30;

const invitationTokens = async (table: Table, crbId: string): Promise<Key[]> =>
  (await readInvitations(table, crbId)).map(({ id }) => invitationTokenKey(id));

/** Writes that store the CRB and the end time of its association. */
function endWrites(table: Table, item: Item, after: Crb) {
  const version = item.version as number;
  return [
    table.putWrite({ ...crbKey(after.record.id), ...after, version: version + 1 }, unchanged("version", version)),
    table.putWrite({ ...endedCrbKey(after.endedAt as string, after.record.id) }),
  ];
}

async function goodCredentials(table: Table, spId: string, crbId: string): Promise<ListedCredential[]> {
  const credentials = await listCredentials(table, spId);
  return credentials.filter(
    ({ owner, revoked_at }) => owner.kind === "crb" && owner.id === crbId && revoked_at === undefined,
  );
}
