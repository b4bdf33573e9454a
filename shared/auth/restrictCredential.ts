import type { Table } from "../store/client.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { intersect } from "./allowedAddresses.ts";
import { type ListedCredential, listCredentials } from "./credentials.ts";
import { issuedBy, selectIssued } from "./revocationRights.ts";

/**
 * Sets the ranges of addresses from which a credential may be used, and narrows those of the credentials that it issued, so
 * that none of them is wider. Tokens have the ranges of their credential. Ranges of issued credentials are never widened. If a
 * call fails, another one completes it.
 *
 * @param credential as it was read
 * @param cidrs the ranges; undefined for all addresses
 * @returns the issued credentials that were narrowed, with their new ranges; undefined if the ranges of the credential have
 *   changed since it was read, then nothing is written
 */
export async function restrictCredential(
  table: Table,
  credential: Pick<ListedCredential, "client_id" | "sp_id" | "allowed_cidrs">,
  cidrs: readonly string[] | undefined,
): Promise<ListedCredential[] | undefined> {
  if (!(await store(table, credential, cidrs))) return undefined;
  if (!cidrs) return [];
  const narrowed: ListedCredential[] = [];
  // A credential that is issued from now on gets the new ranges (`issuerCheck`).
  for (let isDone = false; !isDone; ) {
    isDone = true;
    const all = await listCredentials(table, credential.sp_id);
    // Those of keys that it added belong to the credentials that have the keys.
    for (const each of selectIssued(all, credential.client_id, issuedBy)) {
      if (each.revoked_at !== undefined) continue;
      const allowed_cidrs = each.allowed_cidrs ? intersect(each.allowed_cidrs, cidrs) : [...cidrs];
      if (isSame(allowed_cidrs, each.allowed_cidrs)) continue;
      if (await store(table, each, allowed_cidrs)) narrowed.push({ ...each, allowed_cidrs });
      // Another call has changed its ranges in the meantime: read them again.
      else isDone = false;
    }
  }
  return narrowed;
}

const isSame = (one: readonly string[], other: readonly string[] = []): boolean =>
  one.length === other.length && one.every((cidr) => other.includes(cidr));

/** @returns false if the ranges have changed since they were read */
const store = (
  table: Table,
  { client_id, allowed_cidrs: before }: Pick<ListedCredential, "client_id" | "allowed_cidrs">,
  cidrs: readonly string[] | undefined,
): Promise<boolean> => {
  const update = cidrs ? "SET allowed_cidrs = :cidrs" : "REMOVE allowed_cidrs";
  const values = { ...(cidrs && { ":cidrs": [...cidrs] }), ...(before && { ":before": before }) };
  const isUnchanged = before
    ? "allowed_cidrs = :before"
    : "attribute_exists(pk) AND attribute_not_exists(allowed_cidrs)";
  return table.change(credentialKey(client_id), { expression: update, values }, isUnchanged).then(({ done }) => done);
};
