import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { noteRevocations, type RevocationOptions, writeToJournal } from "../documents/journal.ts";
import { eraseCustomer } from "../replication/eraseCustomer.ts";
import { readEndpoints } from "../webhooks/endpoint.ts";
import { endAssociation } from "./endAssociation.ts";
import { type PurgeOptions, purgeCrb } from "./purge/purgeCrb.ts";
import { purgeServiceProvider } from "./purge/purgeServiceProvider.ts";
import { revokeCredentialAndResources, type Stores } from "./revokeCredentialAndResources.ts";

// Operations that remove something permanently. Each is written to the journal first, so that `replayJournal` can repeat it
// after a restore. Code outside shared/ must use these functions (test/rules).

/** `eraseCustomer`, written to the journal first. */
export async function eraseCustomerJournaled(
  { table, bucket }: Stores,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
) {
  await writeToJournal(bucket, { kind: "erasure", crb_id: crbId, customer_id: customerId }, clock.now());
  return eraseCustomer(table, crbId, customerId, { clock });
}

/** `endAssociation`, written to the journal first if the CRB exists. */
export async function endAssociationJournaled({ table, bucket }: Stores, crbId: string, clock: Clock = systemClock) {
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) return undefined;
  const now = clock.now();
  await writeToJournal(bucket, { kind: "end", crb_id: crbId, creation: crb.record.template_result_id }, now);
  return endAssociation(table, bucket, crbId, clock, now);
}

/** `purgeCrb`, written to the journal first if the purge may begin. */
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
 * `purgeServiceProvider`, written to the journal first if the removal may begin. The journal also gets the end of its
 * credentials and webhook endpoints, so that they end after a restore even if the removal has to wait.
 */
export function purgeServiceProviderJournaled({ table, bucket }: Stores, spId: string, clock: Clock = systemClock) {
  return purgeServiceProvider(table, spId, {
    clock,
    before: async (clientIds) => {
      // `keepMade` is safe: the endpoints are deleted, and the CRBs are gone.
      await noteRevocations(bucket, clientIds, { keepIssued: false, keepMade: true }, clock);
      for (const { id } of await readEndpoints(table, spId)) {
        await writeToJournal(bucket, { kind: "deletion", sp_id: spId, endpoint_id: id }, clock.now());
      }
      await writeToJournal(bucket, { kind: "removal", sp_id: spId }, clock.now());
    },
  });
}

/** `revokeCredentialAndResources`, written to the journal first. */
export async function revokeCredentialJournaled(
  stores: Stores,
  clientId: string,
  options: RevocationOptions,
  clock: Clock = systemClock,
) {
  await noteRevocations(stores.bucket, [clientId], options, clock);
  return revokeCredentialAndResources(stores, clientId, options, clock);
}
