import type { AccessScope } from "../api/enumerations.ts";
import { forbidden, notFound } from "../api/errors.ts";
import { describeError, log } from "../platform/aws/log.ts";
import { type Item, itemId, type Table, unchanged } from "../store/client.ts";
import { commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import { associationKey } from "../store/keys/crbs.ts";
import { credentialKey, issuedCredentialsKey } from "../store/keys/credentials.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import {
  credentialStatus,
  issuerCheck,
  type ListedCredential,
  limitToIssuer,
  listCredentials,
  type NewCredential,
  newCredential,
  noticeKeys,
  requireMaker,
} from "./credentials.ts";
import { reportForeignRevocations } from "./revocationRights.ts";
import { buildRevocations } from "./revoke.ts";

/**
 * Maximum number of active pairs (client id and secret) of a service provider for one CRB. With two pairs, a service
 * provider can replace a pair without interruption (docs/spec.md#crb-credentials).
 */
const maxActivePairs = 2;

/** The item that lists the pairs that a service provider issued for a CRB. */
interface Issued {
  /** Newest first. */
  client_ids: string[];
  version: number;
}

/** A new pair; ISO 8601 UTC and null as in the response of `createCrbAccess`. */
interface IssuedPair {
  client_id: string;
  secret: string;
  expires_date: string | null;
  allowed_cidrs: string[] | null;
  ended_client_ids: string[];
}

/**
 * Issues a pair (client id and secret) for a CRB. It expires no later than its issuer, and may be used from no other
 * addresses. The same transaction revokes the oldest pairs above the maximum.
 *
 * @param beforeRevocation writes the client ids of the pairs to revoke to the journal (`noteRevocations`). The
 *   transaction starts only after this function has succeeded
 * @param issuedBy client id of the issuing credential; absent if the operator issues the pair. The issuing credential
 *   must be active and have the key of the token when the pair is issued, so that a leaked credential cannot create
 *   pairs after its revocation
 * @returns the pair, whose secret cannot be shown again, its limits, and the client ids of the revoked pairs
 * @throws ServiceError "unauthorized" if the issuing credential is revoked or expired, or its key has ended; "invalid"
 *   if ranges lie outside the issuer's; "forbidden" if the new pair would end a pair of another issuer that has more
 *   scopes; "notFound" if the association has ended
 */
export async function issueCrbAccess(
  table: Table,
  {
    spId,
    crbId,
    scopes,
    beforeRevocation,
    ...of
  }: Omit<NewCredential, "owner" | "persons" | "publicKeys"> & {
    crbId: string;
    beforeRevocation: (clientIds: readonly string[]) => Promise<void>;
  },
  clock: Clock = systemClock,
): Promise<IssuedPair> {
  const owner = { kind: "crb", id: crbId } as const;
  const { pair, item, listing, event } = newCredential({ owner, spId, scopes, ...of });
  const { issuedBy, key: issuerKey } = of;
  const association = associationKey(spId, crbId);
  const listKey = issuedCredentialsKey(spId, crbId);
  const issuer = issuedBy === undefined ? [] : [credentialKey(issuedBy)];
  const noted = new Set<string>();
  return retryOnConflict(clock, async () => {
    const found = await table.batchGet([association, listKey, ...issuer], { consistent: true });
    const issuers = issuer.map((key) => requireMaker(found.get(itemId(key)), { key: issuerKey }));
    const limited = limitToIssuer(item, issuers[0]);
    if (!found.has(itemId(association))) throw notFound("CRB");
    const issued = found.get(itemId(listKey)) as (Item & Issued) | undefined;
    const active = await goodOf(table, issued);
    const ended = active.slice(maxActivePairs - 1);
    if (issuedBy !== undefined) for (const one of ended) requireReplacementRight(one, issuedBy, scopes);
    const ids = [pair.client_id, ...active.map(({ client_id }) => client_id)];
    const surplus = ids.slice(maxActivePairs);
    const unnoted = surplus.filter((id) => !noted.has(id));
    if (unnoted.length > 0) await beforeRevocation(unnoted);
    for (const id of unnoted) noted.add(id);
    const revoked = buildRevocations(
      table,
      surplus.map((client_id) => ({ client_id, owner, sp_id: spId })),
      clock.now(),
      issuedBy,
    );
    const writes = [
      ...issuers.map((each) => issuerCheck(table, each)),
      table.checkWrite(association, { expression: "attribute_exists(pk)" }),
      table.putWrite(limited, { expression: "attribute_not_exists(pk)" }),
      table.putWrite(listing),
      ...noticeKeys(limited).map((key) => table.putWrite({ ...key })),
      table.putWrite(
        { ...listKey, client_ids: ids.slice(0, maxActivePairs), version: (issued?.version ?? 0) + 1 },
        unchanged("version", issued?.version),
      ),
      ...revoked.writes,
    ];
    await commitWithEvents(table, { writes, events: [event, ...revoked.events] }, clock);
    if (issuedBy !== undefined && ended.some((one) => one.issued_by !== issuedBy))
      await reportEnded(table, spId, surplus, clock);
    return {
      ...pair,
      expires_date: limited.expires_at ?? null,
      allowed_cidrs: limited.allowed_cidrs ? [...limited.allowed_cidrs] : null,
      ended_client_ids: surplus,
    };
  });
}

/** The client ids of a CRB's active pairs that the next issued pair replaces. */
export async function findSurplusPairs(table: Table, spId: string, crbId: string): Promise<string[]> {
  const issued = await table.get(issuedCredentialsKey(spId, crbId), { consistent: true });
  const active = await goodOf(table, issued as (Item & Issued) | undefined);
  return active.slice(maxActivePairs - 1).map(({ client_id }) => client_id);
}

/** A CRB's active pairs, newest first. */
async function goodOf(table: Table, issued: Issued | undefined): Promise<ListedCredential[]> {
  const ids = issued?.client_ids ?? [];
  const credentials = await table.batchGet(ids.map(credentialKey), { consistent: true });
  return ids
    .map((id) => credentials.get(itemId(credentialKey(id))) as ListedCredential | undefined)
    .filter((credential) => credential !== undefined)
    .filter((credential) => credentialStatus(credential, new Date()) === "active");
}

/** Raises the alarm on ended pairs of other issuers, if it is due. The new pair is stored already, so an error is only logged. */
async function reportEnded(table: Table, spId: string, clientIds: readonly string[], clock: Clock): Promise<void> {
  try {
    reportForeignRevocations(await listCredentials(table, spId), clientIds, clock.now());
  } catch (error) {
    log.error("ended pairs of other issuers not counted", { sp_id: spId, error: describeError(error) });
  }
}

/** A new pair ends a pair of another issuer only if it has all scopes of that pair, as for a revocation. */
function requireReplacementRight(
  { issued_by, scopes }: ListedCredential,
  issuedBy: string,
  newScopes: readonly AccessScope[],
): void {
  const missing = scopes.find((scope) => !newScopes.includes(scope));
  if (issued_by === issuedBy || missing === undefined) return;
  throw forbidden(
    "scope_missing",
    `The new pair would end a pair that another credential issued, and lacks its scope ${missing}. Use a credential with more scopes, or revoke a pair that this credential issued.`,
  );
}
