import { forbidden } from "../api/errors.ts";
import { log } from "../platform/aws/log.ts";
import { loggedCount } from "../platform/aws/metricSeries.ts";
import type { ListedCredential, Principal } from "./credentials.ts";
import { findUncoveredScope } from "./scopes.ts";

/** The metric of repeated revocations of foreign credentials, for the alarm. */
export const foreignRevocationsMetric = "ForeignRevocations";

/** Milliseconds within which a second revocation of a foreign credential raises the alarm. */
const alarmWindowMs = 60 * 60_000;

type Issuers = (credential: ListedCredential) => readonly (string | undefined)[];

/** The credentials that have issued a credential or added the key with which it was issued: it ends with each of them. */
const endedBy: Issuers = ({ issued_by, ends_with = [] }) => [issued_by, ...ends_with];

/** The credential that has issued another one. */
export const issuedBy: Issuers = ({ issued_by }) => [issued_by];

/**
 * Selects the credentials that a credential has issued, directly or through other credentials, and those that were
 * issued with keys that end with one of these.
 *
 * @param issuersOf `issuedBy` to leave out those that were issued with keys
 */
export function selectIssued(
  credentials: readonly ListedCredential[],
  clientId: string,
  issuersOf: Issuers = endedBy,
): ListedCredential[] {
  const byIssuer = new Map<string | undefined, ListedCredential[]>();
  for (const each of credentials)
    for (const issuer of issuersOf(each)) byIssuer.set(issuer, [...(byIssuer.get(issuer) ?? []), each]);
  const found = new Set(byIssuer.get(clientId));
  // The loop appends to the set that it reads.
  for (const { client_id } of found) for (const each of byIssuer.get(client_id) ?? []) found.add(each);
  return [...found];
}

/**
 * Checks whether a caller may revoke a credential (docs/spec.md#ending-a-credential): one that its credential has
 * issued, directly or through other credentials, or one whose scopes the caller covers. Otherwise a thief with a narrow
 * key could end the access of a whole service provider.
 *
 * @param credentials all credentials of the service provider
 * @throws ServiceError "forbidden"
 */
export function requireRevocationRight(
  { clientId, scopes }: Pick<Principal, "clientId" | "scopes">,
  credential: ListedCredential,
  credentials: readonly ListedCredential[],
): void {
  const uncovered = findUncoveredScope(scopes, credential.scopes, credential.owner.kind);
  if (uncovered === undefined || !isForeign(credential, clientId, credentials)) return;
  throw forbidden(
    "scope_missing",
    `The credential lacks the scope ${uncovered}. It can revoke only credentials that it issued and those whose scopes it holds. Use a credential with more scopes, or contact the operator.`,
  );
}

const isForeign = (
  { client_id: clientId }: ListedCredential,
  revokedBy: string,
  credentials: readonly ListedCredential[],
): boolean => !selectIssued(credentials, revokedBy).some(({ client_id }) => client_id === clientId);

/**
 * Raises the alarm (docs/operations/alarms.md#foreign-revocations) if a credential was revoked by one that had not
 * issued it, or was replaced by its new pair, and another such revocation of the service provider happened within the
 * hour before. The number is that of the service provider, because a thief may have several keys.
 *
 * @param credentials all credentials of the service provider, read after the revocation
 * @param clientIds the credentials that were just revoked
 */
export function reportForeignRevocations(
  credentials: readonly ListedCredential[],
  clientIds: readonly string[],
  now: Date,
): void {
  const foreign = credentials.filter(
    (credential) =>
      credential.revoked_at !== undefined &&
      credential.revoked_by !== undefined &&
      Date.parse(credential.revoked_at) >= now.getTime() - alarmWindowMs &&
      isForeign(credential, credential.revoked_by, credentials),
  );
  const revoked = foreign.find(({ client_id }) => clientIds.includes(client_id));
  if (!revoked || foreign.length < 2) return;
  log.error("foreign credentials revoked", {
    sp_id: revoked.sp_id,
    revoked_by: [...new Set(foreign.map(({ revoked_by }) => revoked_by))],
    client_ids: foreign.map(({ client_id }) => client_id),
    ...loggedCount(foreignRevocationsMetric),
  });
}
