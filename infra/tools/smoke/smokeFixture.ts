import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceProvider } from "../../../shared/api/schemas/serviceProvider.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import {
  endAssociationJournaled,
  purgeCrbJournaled,
  purgeServiceProviderJournaled,
} from "../../../shared/domain/crbs/journaledCrbChanges.ts";
import { storedCrbs } from "../../../shared/domain/crbs/purge/purgeServiceProvider.ts";
import type { Stores } from "../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { listServiceProviders, putServiceProvider } from "../../../shared/store/crbs.ts";

/** The service provider and credential that a smoke run creates on a stage. */
export interface SmokeFixture {
  spId: string;
  clientId: string;
  /** The API key of the credential. */
  key: string;
}

/**
 * The prefix of the ids of smoke runs' service providers: "smoke" in a UUID of version 8, which allows custom content (RFC
 * 9562, 5.8). Other ids have version 4.
 */
const marker = "736d6f6b-6500-8";

const record = (id: string): ServiceProvider => ({
  id,
  name: `Smoke test of ${new Date().toISOString()}`,
  street_address: "1 Example Street",
  city: "Denver",
  ein: "84-5550199",
  phone_number: "(303) 555-0199",
  postal_code: "80202",
  country: "United States",
  website: "https://smoke.example.com",
  state: "CO",
  timezone: "America/Denver",
});

/** Creates a service provider and a credential for it. */
export async function makeOwn({ table }: Pick<Stores, "table">): Promise<SmokeFixture> {
  const spId = marker + randomUUID().slice(marker.length);
  await putServiceProvider(table, record(spId));
  const { client_id, secret } = await issueCredential(table, {
    owner: { kind: "serviceProvider", id: spId },
    spId,
    scopes: serviceProviderScopes,
  });
  return { spId, clientId: client_id, key: secret };
}

/** The service providers that earlier smoke runs created but did not remove. */
export async function findLeftoverFixtures({ table }: Pick<Stores, "table">): Promise<string[]> {
  return (await listServiceProviders(table)).map(({ id }) => id).filter((id) => id.startsWith(marker));
}

/**
 * Removes a service provider of a smoke run, its CRBs, and all their data. Completes an interrupted removal.
 *
 * @param options.settledAfter milliseconds to wait between the end of a CRB's association and the removal of its data, so
 *   that calls of the run that created it have completed
 * @param options.removed called after each CRB with its number, counted from 1, and the total
 * @throws ServiceError "unavailable" if the table or the store cannot be reached, or a replication keeps its lease too long
 */
export async function removeOwn(
  stores: Stores,
  spId: string,
  { settledAfter = 0, removed }: { settledAfter?: number; removed?: (crb: number, all: number) => void } = {},
): Promise<void> {
  const crbIds = await storedCrbs(stores.table, spId, new Date());
  for (const [i, crbId] of crbIds.entries()) {
    await endAssociationJournaled(stores, crbId);
    for (;;) {
      const result = await purgeCrbJournaled(stores, crbId, { quietPeriodMs: settledAfter });
      if (result?.outcome !== "early") break;
      await sleep(result.until.getTime() - Date.now() + 10);
    }
    removed?.(i + 1, crbIds.length);
  }
  const result = await purgeServiceProviderJournaled(stores, spId);
  if (result.outcome === "hasCrbs") throw new Error(`CRBs of ${spId} are still stored: ${result.crbIds.join(", ")}`);
}
