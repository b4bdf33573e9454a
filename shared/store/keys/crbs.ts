import { createHash } from "node:crypto";
import { normalizeName } from "../../text/normalizeName.ts";
import type { Key } from "./key.ts";
import { crbList, recordKey } from "./orderedLists.ts";

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

export const associationKey = (spId: string, crbId: string): Key => recordKey(crbList(spId), crbId);

export const serviceProviderKey = (id: string): Key => ({ pk: `SERVICE_PROVIDER#${id}`, sk: "SERVICE_PROVIDER" });

/** A service provider in the list of all. */
export const serviceProviderListKey = (serviceProviderId: string): Key => ({
  pk: "SERVICE_PROVIDERS",
  sk: serviceProviderId,
});

const organizationPartition = (spId: string): string => `SERVICE_PROVIDER#${spId}#ORGANISATION`;

/** The CRBs of a service provider that have an employer identification number. */
export const einKey = (spId: string, ein: string): Key => ({ pk: organizationPartition(spId), sk: `EIN#${ein}` });

/** The CRBs with a name in a state. Spelling variants of the name share one key (docs/spec.md#same-organization). */
export const organizationNameKey = (spId: string, name: string, state: string): Key => ({
  pk: organizationPartition(spId),
  sk: `NAME#${state}#${digestOf(normalizeName(name))}`,
});

export const crbKey = (crbId: string): Key => ({ pk: `CRB#${crbId}`, sk: "CRB" });

export const endedCrbPartition = "ENDED_CRBS";

/**
 * A CRB whose association has ended, in the list of all.
 *
 * @param endedAt ISO 8601 UTC, so that the range keys sort by time
 */
export const endedCrbKey = (endedAt: string, crbId: string): Key => ({
  pk: endedCrbPartition,
  sk: `${endedAt}#${crbId}`,
});

/** The CRB and end time in a range key of `endedCrbKey`. */
export function parseEndedCrbKey(sk: string): { crbId: string; endedAt: string } {
  const [endedAt = "", crbId = ""] = sk.split("#");
  return { crbId, endedAt };
}

/** The sealed credentials for a CRB's POS, apart from the CRB: not every function that reads it may read them. */
export const posCredentialsKey = (crbId: string): Key => ({ pk: `POS_CREDENTIALS#${crbId}`, sk: "POS_CREDENTIALS" });

/** The recorded outcome of a request with an `Idempotency-Key`. */
export const idempotencyKey = (serviceProviderId: string, key: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#IDEMPOTENCY`,
  sk: key,
});

/** Prefix of the range keys of `purgedCrbKey`. No idempotency key has a blank. */
export const purgedPrefix = "PURGED ";

/**
 * Marks a CRB as purged, so that no CRB that an `Idempotency-Key` makes gets its id. The key has only a digest of the id, so
 * that no item names the purged CRB.
 */
export const purgedCrbKey = (serviceProviderId: string, crbId: string): Key =>
  idempotencyKey(serviceProviderId, `${purgedPrefix}${digestOf(crbId)}`);
