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

/** What was made on a stage to try it with. */
export interface SmokeFixture {
  spId: string;
  clientId: string;
  /** The API key of the credential. */
  key: string;
}

/**
 * What the ids of service providers begin with that were made here: "smoke" in a UUID of version 8, whose content is the
 * maker's (RFC 9562, 5.8). Others are of version 4.
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

/** Makes a service provider and a credential of it. */
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

/** The service providers that were made here and never removed. */
export async function findLeftoverFixtures({ table }: Pick<Stores, "table">): Promise<string[]> {
  return (await listServiceProviders(table)).map(({ id }) => id).filter((id) => id.startsWith(marker));
}

/**
 * Removes a service provider that was made here, its CRBs, and all that is stored of them; found in whichever state, it is
 * brought to the end.
 *
 * @param options.settledAfter milliseconds after the end of an association until no call of its maker is under way any more
 * @param options.removed told after each CRB: its number, counted from 1, and of how many
 * @throws ServiceError "unavailable" when table or store cannot be reached, or a replication does not give way
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
