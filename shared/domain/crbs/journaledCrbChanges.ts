import { endPerson } from "../../auth/endedPersons.ts";
import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { noteRevocations, type RevocationOptions, writeToJournal } from "../documents/journal.ts";
import { readMergedCustomers } from "../replication/mergedCustomers.ts";
import { readEndpoints } from "../webhooks/endpoint.ts";
import { endAssociation } from "./endAssociation.ts";
import { eraseCustomerAndExports } from "./eraseCustomerAndExports.ts";
import { type PurgeOptions, purgeCrb } from "./purge/purgeCrb.ts";
import { purgeServiceProvider } from "./purge/purgeServiceProvider.ts";
import { revokeCredentialAndResources, type Stores } from "./revokeCredentialAndResources.ts";

// Operations that remove data or access permanently. Each operation is written to the journal first, so that `replayJournal`
// can repeat the operation after a restore. Code outside shared/ must use these functions (test/rules).

/**
 * Writes the erasure to the journal, then calls `eraseCustomerAndExports`. Customers that the POS merged with this one have
 * entries of their own, because a restored table may lack the merge.
 */
export async function eraseCustomerJournaled(
  { table, bucket }: Stores,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
) {
  for (const id of await readMergedCustomers(table, crbId, customerId)) {
    await writeToJournal(bucket, { kind: "erasure", crb_id: crbId, customer_id: id }, clock.now());
  }
  return eraseCustomerAndExports({ table, bucket }, crbId, customerId, clock);
}

/** Writes the end of the association to the journal if the CRB exists, then calls `endAssociation`. */
export async function endAssociationJournaled({ table, bucket }: Stores, crbId: string, clock: Clock = systemClock) {
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) return undefined;
  const now = clock.now();
  await writeToJournal(bucket, { kind: "end", crb_id: crbId, creation: crb.record.template_result_id }, now);
  return endAssociation(table, bucket, crbId, clock, now);
}

/** Calls `purgeCrb`. If the purge may begin, it is written to the journal before anything is removed. */
export function purgeCrbJournaled(
  { table, bucket }: Stores,
  crbId: string,
  { clock = systemClock, ...options }: Pick<PurgeOptions, "clock" | "removed" | "quietPeriodMs"> = {},
) {
  return purgeCrb(table, bucket, crbId, {
    clock,
    ...options,
    before: ({ record, serviceProviderId: sp_id }) =>
      writeToJournal(bucket, { kind: "purge", crb_id: crbId, sp_id, creation: record.template_result_id }, clock.now()),
  });
}

/**
 * Calls `purgeServiceProvider`. If the removal may begin, it is written to the journal before anything is removed. The
 * revocations of the service provider's credentials and the deletions of its webhook endpoints are also written. After a
 * restore, the revocations and deletions can then be repeated at once, even if the removal has to wait until the CRBs in the
 * restored table are purged.
 */
export function purgeServiceProviderJournaled({ table, bucket }: Stores, spId: string, clock: Clock = systemClock) {
  return purgeServiceProvider(table, spId, {
    clock,
    before: async (clientIds) => {
      // `keepMade` is safe, because no resources of the credentials remain: the endpoints are deleted, and the service
      // provider has no CRBs with invitations or uploads.
      await noteRevocations(bucket, clientIds, { keepIssued: false, keepMade: true }, clock);
      for (const { id } of await readEndpoints(table, spId)) {
        await writeToJournal(bucket, { kind: "deletion", sp_id: spId, endpoint_id: id }, clock.now());
      }
      await writeToJournal(bucket, { kind: "removal", sp_id: spId }, clock.now());
    },
  });
}

/** Writes the revocation to the journal, then calls `revokeCredentialAndResources`. */
export async function revokeCredentialJournaled(
  stores: Stores,
  clientId: string,
  options: RevocationOptions & { revokedBy?: string },
  clock: Clock = systemClock,
) {
  await noteRevocations(stores.bucket, [clientId], options, clock);
  return revokeCredentialAndResources(stores, clientId, options, clock);
}

/** Writes the end of a person's access to the journal, then calls `endPerson`. */
export async function endPersonJournaled(
  { table, bucket }: Stores,
  spId: string,
  sub: string,
  clock: Clock = systemClock,
): Promise<number> {
  await writeToJournal(bucket, { kind: "person", sp_id: spId, sub }, clock.now());
  return endPerson(table, spId, sub, clock);
}
