import { createPublicKey, type KeyObject } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { calculateJwkThumbprint } from "jose";
import { conflict, type Fields, forbidden, invalid, unauthorized } from "../api/errors.ts";
import { keyAlgorithms, maxCredentialKeys, type SentKey, sentKey } from "../api/schemas/credentialKeys.ts";
import { toPerson } from "../api/schemas/person.ts";
import type { Table } from "../store/client.ts";
import { commitWithEvents } from "../store/eventLog/commitWithEvents.ts";
import { credentialKey } from "../store/keys/credentials.ts";
import { isUnmet, retryOnConflict } from "../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { isRangeWithin } from "./allowedAddresses.ts";
import {
  type CredentialKeys,
  credentialEvent,
  credentialStatus,
  issuerCheck,
  type ListedCredential,
  listCredentials,
  loadCredential,
  type Principal,
  type PublicJwk,
} from "./credentials.ts";
import { findUncoveredScope } from "./scopes.ts";
import { activeCredentialCondition } from "./withActiveCredential.ts";

/** The most bits of an RSA key. With five keys, the item of a credential then has less than 5 KB, so that it is read for two units. */
const maxRsaBits = 4096;
const minRsaBits = 2048;

/** The key that a JWK describes; undefined if there is none, such as a point outside the curve. */
function keyOf({ kty, n, e, crv, x, y }: Partial<Record<string, unknown>>): KeyObject | undefined {
  try {
    const key = kty === "RSA" ? { kty, n, e } : { kty, crv, x, y };
    return createPublicKey({ key: key as import("node:crypto").JsonWebKey, format: "jwk" });
  } catch {
    return undefined;
  }
}

/** The key in its only form: base64url has several texts for the same bytes. */
const jwkOf = (key: KeyObject): PublicJwk => {
  const { kty, n, e, crv, x, y } = key.export({ format: "jwk" });
  return (kty === "RSA" ? { kty, n, e } : { kty, crv, x, y }) as PublicJwk;
};

/** Makes the checks of a body's `keys` that its schema does not make. */
export async function keyIssues(body: unknown): Promise<Fields> {
  const { keys = [] } = (body ?? {}) as { keys?: unknown };
  const fields: Fields = {};
  const [kids, thumbprints] = [new Map<string, number>(), new Map<string, number>()];
  for (const [place, each] of Array.isArray(keys) ? keys.slice(0, maxCredentialKeys).entries() : []) {
    const { data: sent } = sentKey.safeParse(each);
    // The schema reports the faults of the others.
    if (!sent) continue;
    const key = keyOf(sent);
    const bits = key?.asymmetricKeyDetails?.modulusLength;
    const add = (message: string, member = "") => {
      fields[`body.keys.${place}${member}`] = { message };
    };
    const first = kids.get(sent.kid);
    if (first !== undefined) add(`is also the kid of keys.${first}: each key needs its own`, ".kid");
    else kids.set(sent.kid, place);
    if (!key) add("is no valid public key");
    else if (bits !== undefined && (bits < minRsaBits || bits > maxRsaBits))
      add(`has ${bits} bits: a modulus must have ${minRsaBits} to ${maxRsaBits}`);
    else {
      const thumbprint = await calculateJwkThumbprint(jwkOf(key));
      const same = thumbprints.get(thumbprint);
      if (same !== undefined) add(`is the same key as keys.${same}: send each key once`);
      else thumbprints.set(thumbprint, place);
    }
  }
  return fields;
}

/** The algorithms that a stored key may be used with. */
export const algorithmsOf = ({ alg, jwk: { kty } }: CredentialKeys[string]): readonly string[] =>
  alg === undefined ? keyAlgorithms[kty] : [alg];

/**
 * Sets the public keys of a credential (docs/spec.md#keys-of-programs). A token that was made with a key ends with the key. The
 * same keys change nothing. A key that the credential already had keeps its date, and still ends with the credential that added it.
 *
 * @param actor the caller; undefined for the operator
 * @param beforeRemoval writes the removed keys to the journal, by thumbprint. The transaction starts only after it has succeeded
 * @throws ServiceError "notFound" if the service provider has no such credential; "forbidden" if the caller lacks a scope or an
 * address of the credential; "invalid" if it is that of persons, or the last key of a credential without a secret would end;
 * "conflict" if the credential has ended; "unauthorized" if the caller's ends meanwhile
 */
export async function setCredentialKeys(
  table: Table,
  {
    spId,
    clientId,
    keys,
    actor,
  }: { spId: string; clientId: string; keys: readonly SentKey[]; actor: Principal | undefined },
  beforeRemoval: (thumbprints: readonly string[]) => Promise<void>,
  clock: Clock = systemClock,
): Promise<void> {
  await retryOnConflict(clock, async () => {
    const credential = await loadCredential(table, spId, clientId);
    if (actor) requireKeyRight(actor, credential);
    requireProgram(credential, keys, clock.now());
    const before = credential.public_keys ?? {};
    const isOwn = actor?.clientId === clientId;
    // `keysWrite` requires the keys that were read, so that a key that ends adds no other one.
    if (isOwn && actor.key !== undefined && !(actor.key in before)) throw unauthorized();
    const sent = await newKeys(keys, { actor, clientId, now: clock.now() });
    const after = Object.fromEntries(
      Object.entries(sent).map(([thumbprint, key]) => {
        const { added_at, added_by, added_by_person, ends_with } = before[thumbprint] ?? key;
        return [thumbprint, { ...key, added_at, added_by, added_by_person, ends_with }];
      }),
    );
    if (isDeepStrictEqual(after, before)) return;
    const removed = Object.keys(before).filter((thumbprint) => !(thumbprint in after));
    if (removed.length > 0) await beforeRemoval(removed);
    const writes = [
      ...(actor && !isOwn ? [issuerCheck(table, actor)] : []),
      keysWrite(table, credential, after, clock),
    ];
    try {
      await commitWithEvents(table, { writes, events: [credentialEvent("credential.changed", credential)] }, clock);
    } catch (error) {
      if (actor && !isOwn && isUnmet(error, 0)) throw unauthorized();
      throw error;
    }
  });
}

/** The form in which new keys are stored. */
export async function newKeys(
  sent: readonly SentKey[],
  { actor, clientId, now }: { actor: Principal | undefined; clientId: string; now: Date },
): Promise<CredentialKeys> {
  const by = actor && [actor.clientId, ...(actor.keyEndsWith ?? [])];
  const added = {
    added_at: now.toISOString(),
    added_by: actor?.clientId ?? null,
    added_by_person: toPerson(actor?.person),
    ends_with: [...new Set(by)].filter((each) => each !== clientId),
  };
  const entries = sent.map(async ({ kid, alg, ...members }) => {
    const key = keyOf(members);
    if (!key) throw invalid({ "body.keys": { message: "has an invalid key" } });
    const jwk = jwkOf(key);
    return [await calculateJwkThumbprint(jwk), { kid, ...(alg !== undefined && { alg }), jwk, ...added }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Stores keys on condition that the credential is active and no other process has changed them. */
function keysWrite(
  table: Table,
  { client_id, public_keys: before }: ListedCredential,
  after: CredentialKeys,
  clock: Clock,
) {
  const isEmpty = Object.keys(after).length === 0;
  const { expression, values } = activeCredentialCondition(clock.now());
  const same = before ? "public_keys = :before" : "attribute_not_exists(public_keys)";
  const update = {
    expression: isEmpty ? "REMOVE public_keys" : "SET public_keys = :after",
    values: { ...values, ...(!isEmpty && { ":after": after }), ...(before && { ":before": before }) },
  };
  return table.updateWrite(credentialKey(client_id), update, `${expression} AND ${same}`);
}

/**
 * A caller adds keys to no credential that has more than the caller: keys give all its scopes, from all its addresses. Its expiry does
 * not matter, because a key ends with the credential that added it.
 */
function requireKeyRight(actor: Principal, credential: ListedCredential): void {
  const missing = findUncoveredScope(actor.scopes, credential.scopes, credential.owner.kind);
  if (missing !== undefined)
    throw forbidden(
      "scope_missing",
      `The caller lacks the scope ${missing} of this credential. Use a credential, or a token of it, with all these scopes.`,
    );
  const { allowed_cidrs: cidrs } = credential;
  const own = actor.allowedCidrs;
  if (own && !cidrs?.every((cidr) => isRangeWithin(cidr, own)))
    throw forbidden(
      "address_not_allowed",
      "This credential may be used from more addresses than the caller. Use a credential with its allowed_cidrs.",
    );
}

function requireProgram(
  credential: Awaited<ReturnType<typeof loadCredential>>,
  keys: readonly SentKey[],
  now: Date,
): void {
  if (credential.persons)
    throw invalid({ "path.client_id": { message: "must be the credential of a program: persons have no keys" } });
  if (credentialStatus(credential, now) !== "active")
    throw conflict("status_not_allowed", "The credential was revoked or has expired: set the keys of an active one.");
  if (keys.length === 0 && credential.digest === undefined)
    throw invalid({ "body.keys": { message: "must have a key, because the credential has no secret" } });
}

/** The active credentials to which some credentials added keys that end with them. */
export const findAddedKeys = async (
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<ListedCredential[]> =>
  (await listCredentials(table, spId)).filter(
    (each) => credentialStatus(each, table.clock.now()) === "active" && remaining(each, clientIds),
  );

/**
 * Removes the keys that ended credentials added to others: a thief may have added one (docs/spec.md#ending-a-credential).
 *
 * @returns the credentials that lost keys
 */
export async function endAddedKeys(
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
  clock: Clock = systemClock,
): Promise<ListedCredential[]> {
  const affected = await findAddedKeys(table, spId, clientIds);
  for (const { client_id } of affected) {
    await retryOnConflict(clock, async () => {
      const credential = await loadCredential(table, spId, client_id);
      const after = remaining(credential, clientIds);
      if (!after || credentialStatus(credential, clock.now()) !== "active") return;
      const events = [credentialEvent("credential.changed", credential)];
      await commitWithEvents(table, { writes: [keysWrite(table, credential, after, clock)], events }, clock);
    });
  }
  return affected;
}

/**
 * Ends a key again after a restore, unless it was added after its end.
 *
 * @returns whether the credential had the key
 */
export function endKey(table: Table, clientId: string, thumbprint: string, at: Date, clock: Clock): Promise<boolean> {
  return retryOnConflict(clock, async () => {
    const credential = (await table.get(credentialKey(clientId), { consistent: true })) as ListedCredential | undefined;
    const { [thumbprint]: ended, ...kept } = credential?.public_keys ?? {};
    if (!credential || !ended || ended.added_at > at.toISOString()) return false;
    // A credential that has ended has no use for its keys.
    if (credentialStatus(credential, clock.now()) !== "active") return true;
    const events = [credentialEvent("credential.changed", credential)];
    await commitWithEvents(table, { writes: [keysWrite(table, credential, kept, clock)], events }, clock);
    return true;
  });
}

/** The keys that stay when some credentials end; undefined if all stay. */
function remaining({ public_keys = {} }: ListedCredential, ended: ReadonlySet<string>): CredentialKeys | undefined {
  const keys = Object.entries(public_keys);
  const kept = keys.filter(([, { ends_with }]) => !ends_with.some((clientId) => ended.has(clientId)));
  return kept.length < keys.length ? Object.fromEntries(kept) : undefined;
}
