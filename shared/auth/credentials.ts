import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { AccessScope, CredentialStatus, PersonRole } from "../api/enumerations.ts";
import { invalid, notFound, unauthorized } from "../api/errors.ts";
import type { PersonName } from "../api/schemas/person.ts";
import { type Condition, type Item, itemId, type Table } from "../store/client.ts";
import { commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../store/eventLog/newEvent.ts";
import {
  credentialExpiryKey,
  credentialKey,
  credentialListKey,
  credentialNoticeKey,
} from "../store/keys/credentials.ts";
import type { Key } from "../store/keys/key.ts";
import { endsWithOf } from "../store/madeWith.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { isRangeWithin } from "./allowedAddresses.ts";
import { latestExpiry } from "./credentialAge.ts";
import type { Person } from "./roles.ts";
import { createSecret, digestOf, sameDigest } from "./secrets.ts";
import { activeCredentialCondition } from "./withActiveCredential.ts";

/**
 * The owner of a credential. Only the owner determines which ids the credential can access
 * (docs/spec.md#path-families-and-scopes).
 */
interface Owner {
  kind: "serviceProvider" | "crb";
  id: string;
}

/** The owner of a credential, or an invited user. For an invited user, `id` is the id of the CRB of the invitation. */
type Asking = Owner | { kind: "invitedUser"; id: string };

/** A public key as stored (RFC 7517). */
export type PublicJwk = { kty: "RSA"; n: string; e: string } | { kty: "EC"; crv: string; x: string; y: string };

/** The public keys of a credential, by thumbprint (RFC 7638). */
export type CredentialKeys = Record<
  string,
  {
    kid: string;
    /** The only algorithm to accept; all of its type if absent. */
    alg?: string;
    jwk: PublicJwk;
    added_at: string;
    /** Client id of the credential that added it; null for the operator. */
    added_by: string | null;
    added_by_person: PersonName | null;
    /** Client ids of the other credentials whose revocation or expiry ends the key. */
    ends_with: string[];
  }
>;

/** An assertion that can be exchanged for a token once. */
export interface UsedAssertion {
  id: string;
  /** Epoch seconds from which on the service rejects the assertion in any case. */
  expires: number;
}

/** The authenticated caller of a request. */
export interface Principal {
  /** For an invited user, the id of the invitation. */
  clientId: string;
  owner: Asking;
  /** The service provider that owns or issued the credential, or that sent the invitation. */
  spId: string;
  scopes: readonly AccessScope[];
  /** Whether an invited user has links that were mailed before the one of this request; absent if not. */
  hasEarlierLinks?: true;
  /** ISO 8601 UTC, the expiry of the credential; absent if it does not expire, and for an invited user. */
  expiresAt?: string;
  /** The ranges of addresses from which the credential may be used; absent for all addresses, and for an invited user. */
  allowedCidrs?: readonly string[];
  /** The person who signed in; absent for programs and invited users. */
  person?: Person;
  /** Set if the person may read customers. */
  hasCustomers?: true;
  /** The assertion that authenticates a token exchange; absent if a secret does. */
  assertion?: UsedAssertion;
  /** Thumbprint of the key of a program that signed the assertion, or with which the token was made; absent without a key. */
  key?: string;
  /** When that key was added, ISO 8601. A key that ends and is added again is another one. */
  keyAddedAt?: string;
  /** The credentials whose end ends the key with which the caller got its token; absent without a key. */
  keyEndsWith?: readonly string[];
}

/** The access that an identity provider gives to persons. */
export interface PersonAccess {
  /** The widest role that a person can have. */
  role: PersonRole;
  /** Whether persons may read customers. */
  customers: boolean;
}

interface Credential {
  client_id: string;
  /** Digest of the secret; absent for an identity provider, and for a program that has only keys. */
  digest?: string;
  /** Absent if there are none. */
  public_keys?: CredentialKeys;
  /** Only for an identity provider. */
  persons?: PersonAccess;
  owner: Owner;
  sp_id: string;
  /** Client id of the issuing credential; absent if the operator issued it. */
  issued_by?: string;
  /** Client ids of the other credentials with which it ends, because they end the issuer's key; absent if there are none. */
  ends_with?: readonly string[];
  /** The person who issued it; absent for programs and the operator. */
  issued_by_person?: PersonName;
  scopes: AccessScope[];
  /** A label to recognize the credential. */
  name?: string;
  created_at: string;
  /** ISO 8601 UTC. From this time on, the service rejects the credential. Absent if the credential does not expire. */
  expires_at?: string;
  /** The ranges of addresses from which the credential may be used; none if empty. Absent for all addresses. */
  allowed_cidrs?: readonly string[];
  revoked_at?: string;
  /** Client id of the credential that requested the revocation; absent for the operator, and if an end of another
   * credential ended this one. */
  revoked_by?: string;
}

export interface NewCredential extends Pick<Principal, "spId" | "scopes"> {
  owner: Owner;
  /** Client id of the issuing credential; undefined if the operator issues it. */
  issuedBy?: string | undefined;
  /** The key of the issuer's token, as in `Principal`. */
  key?: string | undefined;
  keyEndsWith?: readonly string[] | undefined;
  /** The person who issues it; null or undefined for programs and the operator. */
  issuedByPerson?: PersonName | null | undefined;
  name?: string | undefined;
  /** If absent, or beyond the maximum age of the stage, the credential expires at that age (`latestExpiry`). */
  expiresAt?: Date | undefined;
  /** Ranges of addresses from which it may be used; all addresses if absent. */
  allowedCidrs?: readonly string[] | undefined;
  /** Set for an identity provider, which gets no secret. */
  persons?: PersonAccess;
  /** The keys of a program that gets no secret. */
  publicKeys?: CredentialKeys | undefined;
}

/**
 * Creates a client id and its secret (the API key), valid until it is revoked or expires.
 *
 * @returns `pair`: the client id and the secret, which cannot be shown again (docs/spec.md#crb-credentials); `item`:
 * the credential to store; `listing`: the item by which `listCredentials` finds the credential; `event`: the event to
 * commit with both items
 */
export function newCredential({
  owner,
  spId,
  scopes,
  issuedBy,
  keyEndsWith = [],
  issuedByPerson,
  name,
  expiresAt,
  allowedCidrs,
  persons,
  publicKeys,
}: NewCredential) {
  const now = new Date();
  const end = earliest(expiresAt?.toISOString(), latestExpiry(now)?.toISOString());
  const clientId = randomUUID();
  const secret = createSecret("sk", clientId);
  const credential: Credential = {
    client_id: clientId,
    ...(persons && { persons }),
    ...(publicKeys && { public_keys: publicKeys }),
    ...(!persons && !publicKeys && { digest: digestOf(secret) }),
    owner,
    sp_id: spId,
    ...(issuedBy !== undefined && { issued_by: issuedBy, ...endsWithOf({ clientId: issuedBy, keyEndsWith }) }),
    ...(issuedByPerson && { issued_by_person: issuedByPerson }),
    scopes: [...scopes],
    ...(name !== undefined && { name }),
    created_at: now.toISOString(),
    ...(end !== undefined && { expires_at: end }),
    ...(allowedCidrs && { allowed_cidrs: [...allowedCidrs] }),
  };
  return {
    pair: { client_id: clientId, secret },
    item: { ...credentialKey(clientId), ...credential },
    listing: { ...credentialListKey(spId, clientId), created_at: credential.created_at },
    event: credentialEvent("credential.created", credential),
  };
}

/** The earliest of instants in ISO 8601 UTC, whose texts have one length and so sort by time; undefined if there is none. */
const earliest = (...instants: (string | undefined)[]): string | undefined =>
  instants.filter((each) => each !== undefined).sort()[0];

/**
 * A new credential within the limits of its issuer: it expires no later, and may be used from no other address. If it
 * has no ranges, it gets those of its issuer.
 *
 * @throws ServiceError "invalid" if one of its ranges lies outside
 */
export function limitToIssuer<C extends Pick<Credential, "expires_at" | "allowed_cidrs">>(
  credential: C,
  issuer: Principal | undefined,
): C {
  const end = earliest(credential.expires_at, issuer?.expiresAt);
  const { allowed_cidrs: cidrs = issuer?.allowedCidrs } = credential;
  const message = "must lie within the allowed_cidrs of the credential that issues the pair";
  const outside = (cidrs ?? []).flatMap((cidr, i) =>
    issuer?.allowedCidrs && !isRangeWithin(cidr, issuer.allowedCidrs) ? [[`body.allowed_cidrs.${i}`, { message }]] : [],
  );
  if (outside.length > 0) throw invalid(Object.fromEntries(outside));
  return { ...credential, ...(end !== undefined && { expires_at: end }), ...(cidrs && { allowed_cidrs: cidrs }) };
}

/**
 * The check of an issuer in the transaction that stores a new credential: it is still active, and has the key of its
 * token. Its ranges have not changed since they were read.
 */
export const issuerCheck = (table: Table, issuer: Principal): TransactWriteItem =>
  table.checkWrite(credentialKey(issuer.clientId), issuerCondition(issuer));

/** The condition of `issuerCheck`. */
export function issuerCondition({ allowedCidrs, key }: Principal): Condition {
  const { expression, values, names } = activeCredentialCondition(new Date(), key);
  const same = allowedCidrs ? "allowed_cidrs = :cidrs" : "attribute_not_exists(allowed_cidrs)";
  return {
    expression: `${expression} AND ${same}`,
    ...(names && { names }),
    values: { ...values, ...(allowedCidrs && { ":cidrs": allowedCidrs }) },
  };
}

/** Days before the expiry of a credential at which an event announces it (docs/spec.md#credential-events). */
const noticeDays = [30, 7] as const;

/** The notices of a credential's expiry that are not due when it is issued; none if it does not expire. */
export function noticeKeys({
  client_id,
  created_at,
  expires_at,
}: Pick<Credential, "client_id" | "created_at" | "expires_at">): Key[] {
  if (expires_at === undefined) return [];
  const dues = noticeDays.map((days) => new Date(Date.parse(expires_at) - days * 86_400_000).toISOString());
  return dues.filter((due) => due > created_at).map((due) => credentialNoticeKey(due, client_id));
}

/** The event that reports a change of a credential (docs/spec.md#events). */
export const credentialEvent = (
  type: "credential.created" | "credential.changed" | "credential.revoked",
  { client_id, owner, sp_id: spId }: Pick<Credential, "client_id" | "owner" | "sp_id">,
): NewEvent => ({ type, spId, crbId: owner.kind === "crb" ? owner.id : null, data: { client_id } });

/**
 * Stores a new client id and secret, and returns them (docs/spec.md#crb-credentials). The sweeper ends the resources of
 * the credential after its expiry (`sweepExpiredCredentials`).
 *
 * @throws ServiceError "unauthorized" if the issuing credential is not active; "invalid" if ranges lie outside the
 *   issuer's
 */
export async function issueCredential(table: Table, of: NewCredential, clock: Clock = systemClock) {
  const { pair, item, listing, event } = newCredential(of);
  await retryOnConflict(clock, async () => {
    const issuer =
      of.issuedBy === undefined
        ? undefined
        : requirePrincipal(await table.get(credentialKey(of.issuedBy), { consistent: true }));
    const limited = limitToIssuer(item, issuer);
    const { client_id, expires_at } = limited;
    const expiry = expires_at === undefined ? [] : [credentialExpiryKey(expires_at, client_id)];
    const dated = [...expiry, ...noticeKeys(limited)];
    const writes = [
      ...(issuer ? [issuerCheck(table, issuer)] : []),
      table.putWrite(limited),
      table.putWrite(listing),
      ...dated.map((key) => table.putWrite({ ...key })),
    ];
    await commitWithEvents(table, { writes, events: [event] }, clock);
  });
  return pair;
}

/** A credential without its digest. */
export type ListedCredential = Omit<Credential, "digest">;

/** The client ids of the credentials that a service provider owns or has issued, including revoked ones, newest first. */
export async function listClientIds(table: Table, spId: string): Promise<string[]> {
  const listings = await table.queryPartition(credentialListKey(spId, "").pk, { consistent: true });
  const createdAt = (listing: Item) => listing.created_at as string;
  return listings.sort((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1)).map(({ sk }) => sk);
}

/** Lists the credentials that a service provider owns or has issued, including revoked ones, newest first. */
export async function listCredentials(table: Table, spId: string): Promise<ListedCredential[]> {
  const keys = (await listClientIds(table, spId)).map(credentialKey);
  const items = await table.batchGet(keys, { consistent: true, attributes: listedAttributes });
  return keys.flatMap((key) => (items.get(itemId(key)) as ListedCredential | undefined) ?? []);
}

/**
 * Reads a credential that a service provider owns or has issued, with a consistent read.
 *
 * @throws ServiceError "notFound" if the credential does not exist or belongs to another service provider
 */
export async function loadCredential(table: Table, spId: string, clientId: string): Promise<Credential> {
  const item = await table.get(credentialKey(clientId), { consistent: true });
  const credential = item as (Item & Credential) | undefined;
  if (credential?.sp_id !== spId) throw notFound("credential");
  return credential;
}

/** The attributes of a `ListedCredential`. */
// biome-ignore format: a value on each line fills a screen
export const listedAttributes = [
  "client_id", "owner", "sp_id", "issued_by", "ends_with", "issued_by_person", "scopes", "name", "created_at",
  "expires_at", "allowed_cidrs", "persons", "public_keys", "revoked_at", "revoked_by",
];

/** The status of a credential at an instant. `revoked` has precedence over `expired`. */
export function credentialStatus(
  { revoked_at, expires_at }: Pick<Credential, "revoked_at" | "expires_at">,
  now: Date,
): CredentialStatus {
  if (revoked_at !== undefined) return "revoked";
  return expires_at !== undefined && Date.parse(expires_at) <= now.getTime() ? "expired" : "active";
}

/**
 * The principal of a stored credential.
 *
 * @throws ServiceError "unauthorized" if the credential is missing, revoked or expired
 */
export function requirePrincipal(item: Item | undefined): Principal {
  const credential = item as Credential | undefined;
  if (!credential || credentialStatus(credential, new Date()) !== "active") throw unauthorized();
  return {
    clientId: credential.client_id,
    owner: credential.owner,
    spId: credential.sp_id,
    scopes: credential.scopes,
    ...(credential.expires_at !== undefined && { expiresAt: credential.expires_at }),
    ...(credential.allowed_cidrs && { allowedCidrs: credential.allowed_cidrs }),
  };
}

/**
 * The principal of a stored credential, for a caller that makes a record: the credential still has the key of the
 * caller's token.
 *
 * @throws ServiceError "unauthorized" if the credential or the key has ended
 */
export function requireMaker(item: Item | undefined, { key }: { key?: string | undefined }): Principal {
  const principal = requirePrincipal(item);
  if (key === undefined) return principal;
  if (!(key in ((item as unknown as Credential).public_keys ?? {}))) throw unauthorized();
  return { ...principal, key };
}

/**
 * Proves an API key against its stored credential.
 *
 * @param digest the digest of the received secret
 * @throws ServiceError "unauthorized"
 */
export function proveApiKey(item: Item | undefined, digest: string): Principal {
  const principal = requirePrincipal(item);
  const { digest: stored } = item as unknown as Credential;
  if (stored === undefined || !sameDigest(stored, digest)) throw unauthorized();
  return principal;
}
