import { createHash } from "node:crypto";
import { normalizeName } from "../../text/normalizeName.ts";
import type { Key } from "./key.ts";
import { crbList, recordKey } from "./orderedLists.ts";

export function associationKey(serviceProviderId: string, crbId: string): Key {
  return recordKey(crbList(serviceProviderId), crbId);
}

export function serviceProviderKey(serviceProviderId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}`, sk: "SERVICE_PROVIDER" };
}

/** An item in the list of all service providers. Each service provider has one such item. */
export function serviceProviderListKey(serviceProviderId: string): Key {
  return { pk: "SERVICE_PROVIDERS", sk: serviceProviderId };
}

/** The item that lists the CRBs of a service provider that have a given employer identification number. */
export function einKey(serviceProviderId: string, ein: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `EIN#${ein}` };
}

/**
 * The item that lists the CRBs of a service provider that have a given name and are in a given state. Spelling variants
 * of the name share one key (docs/spec.md#same-organization).
 */
export function organizationNameKey(serviceProviderId: string, name: string, state: string): Key {
  const compared = createHash("sha256").update(normalizeName(name)).digest("base64url");
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `NAME#${state}#${compared}` };
}

export function crbKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "CRB" };
}

/**
 * A CRB whose association has ended. The partition lists all such CRBs.
 *
 * @param endedAt ISO 8601 UTC, so that the range keys sort by time
 */
export function endedCrbKey(endedAt: string, crbId: string): Key {
  return { pk: endedCrbPartition, sk: `${endedAt}#${crbId}` };
}

export const endedCrbPartition = "ENDED_CRBS";

/** The CRB and end time in a range key of `endedCrbKey`. */
export function parseEndedCrbKey(sk: string): { crbId: string; endedAt: string } {
  const [endedAt = "", crbId = ""] = sk.split("#");
  return { crbId, endedAt };
}

/**
 * The sealed credentials for a CRB's POS. They have their own partition, because a function with permission to read the
 * CRB must not be able to read the credentials.
 */
export function posCredentialsKey(crbId: string): Key {
  return { pk: `POS_CREDENTIALS#${crbId}`, sk: "POS_CREDENTIALS" };
}

/** The recorded outcome of a request with an `Idempotency-Key`. */
export function idempotencyKey(serviceProviderId: string, key: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#IDEMPOTENCY`, sk: key };
}

/**
 * Marks a CRB of a service provider as purged. A CRB's id can be derived from an `Idempotency-Key`; the mark prevents a
 * new CRB with the id of a purged CRB. The item is in the partition of the idempotency keys. Its range key contains a
 * blank and an idempotency key does not, so the two kinds of range keys never coincide. The key contains only a digest
 * of the CRB's id, so that no item names the purged CRB.
 */
export function purgedCrbKey(serviceProviderId: string, crbId: string): Key {
  const digest = createHash("sha256").update(crbId).digest("base64url");
  return idempotencyKey(serviceProviderId, `${purgedPrefix}${digest}`);
}

/** Prefix of the range keys of `purgedCrbKey`. */
export const purgedPrefix = "PURGED ";
