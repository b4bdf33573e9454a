import type { Table } from "../store/client.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { intersect } from "./allowedAddresses.ts";
import type { ListedCredential } from "./credentials.ts";
import { listActiveIssuedCredentials } from "./revoke.ts";

/**
 * Sets the ranges of addresses from which a credential may be used, and narrows those of the credentials that it issued, so
 * that none of them is wider. Tokens have the ranges of their credential. Ranges of issued credentials are never widened. If a
 * call fails, another one completes it.
 *
 * @param cidrs the ranges; undefined for all addresses
 * @returns the issued credentials that were narrowed, with their new ranges
 */
export async function restrictCredential(
  table: Table,
  { client_id: clientId, sp_id: spId }: Pick<ListedCredential, "client_id" | "sp_id">,
  cidrs: readonly string[] | undefined,
): Promise<ListedCredential[]> {
  await store(table, clientId, cidrs);
  if (!cidrs) return [];
  // A credential that is issued from now on gets the new ranges (`issuerCheck`).
  const issued = await listActiveIssuedCredentials(table, spId, clientId);
  const narrowed = issued.flatMap((each) => {
    const allowed_cidrs = each.allowed_cidrs ? intersect(each.allowed_cidrs, cidrs) : [...cidrs];
    return isSame(allowed_cidrs, each.allowed_cidrs) ? [] : [{ ...each, allowed_cidrs }];
  });
  for (const { client_id, allowed_cidrs } of narrowed) await store(table, client_id, allowed_cidrs);
  return narrowed;
}

const isSame = (one: readonly string[], other: readonly string[] = []): boolean =>
  one.length === other.length && one.every((cidr) => other.includes(cidr));

const store = (table: Table, clientId: string, cidrs: readonly string[] | undefined) =>
  table.change(
    credentialKey(clientId),
    cidrs
      ? { expression: "SET allowed_cidrs = :cidrs", values: { ":cidrs": [...cidrs] } }
      : { expression: "REMOVE allowed_cidrs" },
    "attribute_exists(pk)",
  );
