import { randomUUID } from "node:crypto";
import type { AccessScope, CredentialStatus } from "../api/enumerations.ts";
import { notFound, unauthorized } from "../api/errors.ts";
import type { Item, Table } from "../store/client.ts";
import { commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../store/eventLog/newEvent.ts";
import { credentialKey, credentialListKey } from "../store/keys/credentials.ts";
import { retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { createSecret, digestOf, sameDigest } from "./secrets.ts";

/** Whose credential it is: this alone decides which ids it reaches (docs/spec.md#path-families-and-scopes). */
interface Owner {
  kind: "serviceProvider" | "crb";
  id: string;
}

/** Who asks: the owner of a credential, or an invited user, by the CRB of the invitation. */
type Asking = Owner | { kind: "invitedUser"; id: string };

/** What a request may do, once its credential is proved. */
export interface Principal {
  /** Of an invited user the invitation's id. */
  clientId: string;
  owner: Asking;
  /** The service provider that issued the credential, or that invited; the owner itself, where that is one. */
  spId: string;
  scopes: readonly AccessScope[];
}

interface Credential {
  client_id: string;
  digest: string;
  owner: Owner;
  sp_id: string;
  /** Client id of the credential by which it was issued; absent where the operator issued it. */
  issued_by?: string;
  scopes: AccessScope[];
  /** A label; absent if none was given. */
  name?: string;
  created_at: string;
  /** ISO 8601 UTC: rejected from then on; absent if it does not expire. */
  expires_at?: string;
  revoked_at?: string;
}

/** What a new credential is made of. */
export interface NewCredential extends Pick<Principal, "spId" | "scopes"> {
  owner: Owner;
  /** Client id of the credential by which it is issued; none where the operator issues it. */
  issuedBy?: string | undefined;
  name?: string | undefined;
  /** Absent if it does not expire. */
  expiresAt?: Date | undefined;
}

/**
 * Makes a client id and its secret (the API key), valid until it is revoked or expires.
 *
 * @returns the pair of docs/spec.md#crb-credentials, whose secret can not be shown again; the item to store, and to store with it the one by
 * which `listCredentials` finds it, and the event that tells of it
 */
export function newCredential({ owner, spId, scopes, issuedBy, name, expiresAt }: NewCredential) {
  const clientId = randomUUID();
  const secret = createSecret("sk", clientId);
  const credential: Credential = {
    client_id: clientId,
    digest: digestOf(secret),
    owner,
    sp_id: spId,
    ...(issuedBy !== undefined && { issued_by: issuedBy }),
    scopes: [...scopes],
    ...(name !== undefined && { name }),
    created_at: new Date().toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
  return {
    pair: { client_id: clientId, secret },
    item: { ...credentialKey(clientId), ...credential },
    listing: { ...credentialListKey(spId, clientId), created_at: credential.created_at },
    event: credentialEvent("credential.created", credential),
  };
}

/** What tells of a credential (docs/spec.md#events). */
export const credentialEvent = (
  type: NewEvent["type"],
  { client_id, owner, sp_id: spId }: Pick<Credential, "client_id" | "owner" | "sp_id">,
): NewEvent => ({ type, spId, crbId: owner.kind === "crb" ? owner.id : null, data: { client_id } });

/** Issues a client id and its secret and answers them (docs/spec.md#crb-credentials). */
export async function issueCredential(table: Table, of: NewCredential, clock: Clock = systemClock) {
  const { pair, item, listing, event } = newCredential(of);
  const writes = [table.putWrite(item), table.putWrite(listing)];
  await retryOnConflict(clock, () => commitWithEvents(table, { writes, events: [event] }, clock));
  return pair;
}

/** A credential without its digest. */
export type ListedCredential = Omit<Credential, "digest">;

/** The credentials that a service provider owns or has issued, revoked ones included, newest first. */
export async function listCredentials(table: Table, spId: string): Promise<ListedCredential[]> {
  const listings = await table.queryPartition(credentialListKey(spId, "").pk, { consistent: true });
  const items = await table.batchGet(
    listings.map(({ sk }) => credentialKey(sk)),
    { consistent: true, attributes: listedAttributes },
  );
  const credentials = [...items.values()] as unknown as ListedCredential[];
  return credentials.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/**
 * Reads a credential that a service provider owns or has issued, consistently.
 *
 * @throws ServiceError "notFound" when there is none, or another service provider has it
 */
export async function loadCredential(table: Table, spId: string, clientId: string): Promise<ListedCredential> {
  const item = await table.get(credentialKey(clientId), { consistent: true });
  const credential = item as (Item & ListedCredential) | undefined;
  if (credential?.sp_id !== spId) throw notFound();
  return credential;
}

/** The attributes of a `ListedCredential`. */
export const listedAttributes = [
  "client_id",
  "owner",
  "sp_id",
  "issued_by",
  "scopes",
  "name",
  "created_at",
  "expires_at",
  "revoked_at",
];

/** Whether a credential can be used at an instant, or the reason why not. A revoked one is `revoked` also after it expired. */
export function credentialStatus(
  { revoked_at, expires_at }: Pick<Credential, "revoked_at" | "expires_at">,
  now: Date,
): CredentialStatus {
  if (revoked_at !== undefined) return "revoked";
  return expires_at !== undefined && Date.parse(expires_at) <= now.getTime() ? "expired" : "active";
}

/**
 * What a stored credential grants.
 *
 * @throws ServiceError "unauthorized" when it is missing, revoked or expired
 */
export function requirePrincipal(item: Item | undefined): Principal {
  const credential = item as Credential | undefined;
  if (!credential || credentialStatus(credential, new Date()) !== "active") throw unauthorized();
  return {
    clientId: credential.client_id,
    owner: credential.owner,
    spId: credential.sp_id,
    scopes: credential.scopes,
  };
}

/**
 * Proves an API key against its stored credential.
 *
 * @param digest of the secret as received
 * @throws ServiceError "unauthorized"
 */
export function proveApiKey(item: Item | undefined, digest: string): Principal {
  const principal = requirePrincipal(item);
  if (!sameDigest((item as unknown as Credential).digest, digest)) throw unauthorized();
  return principal;
}
