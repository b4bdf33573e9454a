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

/** Leads to a service provider, so that all of them can be listed. */
export function serviceProviderListKey(serviceProviderId: string): Key {
  return { pk: "SERVICE_PROVIDERS", sk: serviceProviderId };
}

/** Which CRBs of a service provider have an employer identification number. */
export function einKey(serviceProviderId: string, ein: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `EIN#${ein}` };
}

/** Which CRBs of a service provider have a name in a state, however that is written (docs/spec.md#same-organization). */
export function organizationNameKey(serviceProviderId: string, name: string, state: string): Key {
  const compared = createHash("sha256").update(normalizeName(name)).digest("base64url");
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `NAME#${state}#${compared}` };
}

export function crbKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "CRB" };
}

/**
 * A CRB whose association has ended, so that all of them can be listed.
 *
 * @param endedAt ISO 8601 UTC, so that the range keys sort by time
 */
export function endedCrbKey(endedAt: string, crbId: string): Key {
  return { pk: endedCrbPartition, sk: `${endedAt}#${crbId}` };
}

export const endedCrbPartition = "ENDED_CRBS";

/** The CRB and the instant that a range key of `endedCrbKey` names. */
export function parseEndedCrbKey(sk: string): { crbId: string; endedAt: string } {
  const [endedAt = "", crbId = ""] = sk.split("#");
  return { crbId, endedAt };
}

/** The sealed credentials for a CRB's POS, in a partition of their own: who may read the CRB may not read these. */
export function posCredentialsKey(crbId: string): Key {
  return { pk: `POS_CREDENTIALS#${crbId}`, sk: "POS_CREDENTIALS" };
}

/** What a request with an `Idempotency-Key` did. */
export function idempotencyKey(serviceProviderId: string, key: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#IDEMPOTENCY`, sk: key };
}

/**
 * Says that a CRB of a service provider was purged, so that none is given its id again, which follows from an
 * `Idempotency-Key`; beside what is known of these. No key has a blank. A digest, so that nothing names the CRB any more.
 */
export function purgedCrbKey(serviceProviderId: string, crbId: string): Key {
  const digest = createHash("sha256").update(crbId).digest("base64url");
  return idempotencyKey(serviceProviderId, `${purgedPrefix}${digest}`);
}

/** What the range keys of `purgedCrbKey` begin with. */
export const purgedPrefix = "PURGED ";
