import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { noteRevocations, type RevocationOptions, writeToJournal } from "../documents/journal.ts";
import { eraseCustomer } from "../replication/eraseCustomer.ts";
import { readEndpoints } from "../webhooks/endpoint.ts";
import { endAssociation } from "./endAssociation.ts";
import { type PurgeOptions, purgeCrb } from "./purge/purgeCrb.ts";
import { purgeServiceProvider } from "./purge/purgeServiceProvider.ts";
import { revokeCredentialAndResources, type Stores } from "./revokeCredentialAndResources.ts";

// What takes something away for good, noted in the journal before: after a restore it is done again from there
// (`replayJournal`). Nothing outside of shared/ does it in any other way (test/rules).

/** `eraseCustomer`, noted in the journal. */
export async function eraseCustomerJournaled(
  { table, bucket }: Stores,
  crbId: string,
  customerId: string,
  clock: Clock = systemClock,
) {
  await writeToJournal(bucket, { kind: "erasure", crb_id: crbId, customer_id: customerId }, clock.now());
  return eraseCustomer(table, crbId, customerId, { clock });
}

/** `endAssociation`, noted in the journal where there is such a CRB. */
export async function endAssociationJournaled({ table, bucket }: Stores, crbId: string, clock: Clock = systemClock) {
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) return undefined;
  const now = clock.now();
  await writeToJournal(bucket, { kind: "end", crb_id: crbId, creation: crb.record.template_result_id }, now);
  return endAssociation(table, bucket, crbId, clock, now);
}

/** `purgeCrb`, noted in the journal where it is not refused. */
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
 * `purgeServiceProvider`, noted in the journal where it is not refused. The end of its credentials and webhook endpoints is
 * noted, too: after a restore they end even where the removal has to wait.
 */
export function purgeServiceProviderJournaled({ table, bucket }: Stores, spId: string, clock: Clock = systemClock) {
  return purgeServiceProvider(table, spId, {
    clock,
    before: async (clientIds) => {
      // Its endpoints are deleted, and its CRBs are gone.
      await noteRevocations(bucket, clientIds, { keepIssued: false, keepMade: true }, clock);
      for (const { id } of await readEndpoints(table, spId)) {
        await writeToJournal(bucket, { kind: "deletion", sp_id: spId, endpoint_id: id }, clock.now());
      }
      await writeToJournal(bucket, { kind: "removal", sp_id: spId }, clock.now());
    },
  });
}

/** `endCredential`, written to the journal. */
export async function revokeCredentialJournaled(
  stores: Stores,
  clientId: string,
  options: RevocationOptions,
  clock: Clock = systemClock,
) {
  await noteRevocations(stores.bucket, [clientId], options, clock);
  return revokeCredentialAndResources(stores, clientId, options, clock);
}
