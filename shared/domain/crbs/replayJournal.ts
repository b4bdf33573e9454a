import { ServiceError } from "../../api/errors.ts";
import { endKey } from "../../auth/credentialKeys.ts";
import { endPerson, isPermittedSince } from "../../auth/endedPersons.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { serviceProviderKey } from "../../store/keys/crbs.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { type JournalEntry, type JournalPlace, listJournal, readJournalEntry } from "../documents/journal.ts";
import { withdrawConsent } from "../onboarding/consent.ts";
import { deleteStateConnection } from "../stateSystems/readStateConnections.ts";
import { deleteEndpoint } from "../webhooks/deleteEndpoint.ts";
import { readEndpoint } from "../webhooks/endpoint.ts";
import { replaySecretEnd } from "../webhooks/endpointChanges.ts";
import { endAssociation } from "./endAssociation.ts";
import { eraseCustomerAndExports, planErasureAndEndExports } from "./eraseCustomerAndExports.ts";
import { purgeBelongings, purgeCrb } from "./purge/purgeCrb.ts";
import { purgeServiceProvider } from "./purge/purgeServiceProvider.ts";
import { revokeCredentialAndResources, type Stores } from "./revokeCredentialAndResources.ts";

/**
 * A replay includes the journal entries from this many milliseconds before the restored instant. An operation may have begun
 * before this instant and ended after it; a purge can take hours.
 */
const margin = 24 * 60 * 60_000;

/** The journal entries to replay on a table that was restored to an instant, oldest first. */
export const entriesToReplay = ({ bucket }: Pick<Stores, "bucket">, restoredTo: Date): Promise<JournalPlace[]> =>
  listJournal(bucket, new Date(restoredTo.getTime() - margin));

/**
 * The result of replaying an entry. `absent`: the CRB or other subject of the entry is not in the table. `createdAnew`: the
 * subject was removed and created again after the entry, or the person permitted again, so nothing was done.
 */
export type ReplayResult = { outcome: "done" | "absent" | "createdAnew" } | { outcome: "failed"; reason: string };

/**
 * Repeats the operation of a journal entry without writing to the journal. A second replay changes nothing.
 *
 * @returns `failed` if an error prevented the operation; the operation can be repeated later or by hand. The caller may
 *   continue with entries of other CRBs, but replays the entries of one CRB in their order
 */
export async function replayEntry(
  stores: Stores,
  place: JournalPlace,
  clock: Clock = systemClock,
): Promise<ReplayResult> {
  try {
    return await apply(stores, await readJournalEntry(stores.bucket, place), new Date(place.at), clock);
  } catch (error) {
    return { outcome: "failed", reason: error instanceof ServiceError ? error.kind : (error as Error).name };
  }
}

async function apply({ table, bucket }: Stores, entry: JournalEntry, at: Date, clock: Clock): Promise<ReplayResult> {
  if (entry.kind === "revocation") {
    const options = { keepIssued: entry.keep_issued, keepMade: entry.keep_made };
    await revokeCredentialAndResources({ table, bucket }, entry.client_id, options, clock);
    return { outcome: "done" };
  }
  if (entry.kind === "key") return doneOr(await endKey(table, entry.client_id, entry.thumbprint, at, clock));
  if (entry.kind === "person") {
    if (await isPermittedSince(table, entry.sp_id, entry.sub, at)) return { outcome: "createdAnew" };
    await endPerson(table, entry.sp_id, entry.sub, clock);
    return { outcome: "done" };
  }
  if (entry.kind === "deletion") {
    const found = await readEndpoint(table, entry.sp_id, entry.endpoint_id);
    return doneOr(found && (await deleteEndpoint(table, entry.sp_id, entry.endpoint_id)));
  }
  if (entry.kind === "rotation") {
    return doneOr(await replaySecretEnd(table, entry.sp_id, entry.endpoint_id, entry.secret, at));
  }
  if (entry.kind === "removal") return removeAgain(table, entry.sp_id, at, clock);
  if (entry.kind === "erasure") {
    // The worker that rebuilds the lists erases the customer, before it opens the CRB.
    const erase = (await isRestoring(table, entry.crb_id)) ? planErasureAndEndExports : eraseCustomerAndExports;
    return doneOr(await erase({ table, bucket }, entry.crb_id, entry.customer_id, clock));
  }
  if (entry.kind === "disconnection") {
    const made = { firstConnectedAt: entry.first_connected_at };
    return doneOr(await deleteStateConnection(table, entry.crb_id, made, clock));
  }
  const crb = await readCrb(table, entry.crb_id, { consistent: true });
  if (crb && crb.record.template_result_id !== entry.creation) return { outcome: "createdAnew" };
  if (entry.kind === "withdrawal") {
    const withdrawn = { crbId: entry.crb_id, by: entry.invitation_id };
    return doneOr(crb && !crb.endedAt && (await withdrawConsent(table, withdrawn, clock, { at, isReplayed: true })));
  }
  if (entry.kind === "end") return doneOr(await endAssociation(table, bucket, entry.crb_id, clock, at));
  if (!crb) {
    // Only the table was restored. The bucket may still contain files of the CRB.
    await purgeBelongings(table, bucket, { crbId: entry.crb_id, spId: entry.sp_id }, clock, () => undefined);
    return { outcome: "done" };
  }
  const purged = await purgeCrb(table, bucket, entry.crb_id, { clock });
  return purged && purged.outcome !== "purged" ? { outcome: "failed", reason: purged.outcome } : doneOr(purged);
}

/** Removes a service provider again, unless the operator has created a service provider with the same id after the entry. */
async function removeAgain(table: Table, spId: string, at: Date, clock: Clock): Promise<ReplayResult> {
  const item = await table.get(serviceProviderKey(spId), { consistent: true });
  // Service providers of earlier releases have no creation date.
  if (String(item?.createdAt ?? "") > at.toISOString()) return { outcome: "createdAnew" };
  const { outcome } = await purgeServiceProvider(table, spId, { clock });
  return outcome === "hasCrbs" ? { outcome: "failed", reason: outcome } : doneOr(outcome === "purged");
}

const doneOr = (result: unknown): ReplayResult => ({ outcome: result ? "done" : "absent" });
