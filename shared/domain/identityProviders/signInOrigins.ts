import { findUrlIssue } from "../../platform/http/urlIssue.ts";
import type { Table } from "../../store/client.ts";
import { maxAgeMs, readDiscovery } from "./discovery.ts";
import { issuerCache } from "./issuerCache.ts";
import { findByShortName } from "./storedIdentityProvider.ts";

/** The origin of the endpoint where a page exchanges its code, if the identity provider can be read. */
const loadTokenOrigin = issuerCache(async (issuer) => {
  const { token_endpoint: endpoint } = await readDiscovery(issuer);
  if (typeof endpoint !== "string") throw new Error("its discovery document has no token_endpoint");
  const issue = await findUrlIssue(endpoint);
  if (issue !== undefined) throw new Error(`its token_endpoint ${issue}`);
  return new URL(endpoint).origin;
});

/**
 * The origins that a page calls to sign a person in: those of the issuer and of its token endpoint, which may differ. Without
 * settings there are none. If the identity provider cannot be read, the page explains the failure of its own reading.
 */
export async function findSignInOrigins(table: Table, shortName: string): Promise<string[]> {
  const found = await findByShortName(table, shortName);
  if (!found) return [];
  const { issuer } = found.settings;
  const token = await loadTokenOrigin(issuer, table.clock.now().getTime(), maxAgeMs).catch(() => undefined);
  return [...new Set([new URL(issuer).origin, ...(token ? [token.value] : [])])];
}
