import { normalizeName } from "../../text/normalizeName.ts";
import { digestOf, type Key, key, nameParts, ofProvider } from "./key.ts";
import { crbList, recordKey } from "./orderedLists.ts";

export const associationKey = (spId: string, crbId: string): Key => recordKey(crbList(spId), crbId);

export const serviceProviderKey = (id: string): Key => key(`SERVICE_PROVIDER#${id}`, "SERVICE_PROVIDER");

/** A service provider in the list of all. */
export const serviceProviderListKey = (spId: string): Key => key("SERVICE_PROVIDERS", spId);

const organizationPartition = (spId: string): string => ofProvider(spId, "ORGANISATION");

/** The CRBs of a service provider that have an employer identification number. */
export const einKey = (spId: string, ein: string): Key => key(organizationPartition(spId), "EIN", ein);

/** The CRBs with a name in a state. Spelling variants of the name share one key (docs/spec.md#same-organization). */
export const organizationNameKey = (spId: string, name: string, state: string): Key =>
  key(organizationPartition(spId), "NAME", state, digestOf(normalizeName(name)));

export const crbKey = (crbId: string): Key => key(`CRB#${crbId}`, "CRB");

export const endedCrbPartition = "ENDED_CRBS";

/** A CRB whose association has ended, in the list of all. */
export const endedCrbKey = (endedAt: string, crbId: string): Key => key(endedCrbPartition, endedAt, crbId);

export const parseEndedCrbKey = (sk: string) => nameParts(sk, "endedAt", "crbId");

/** The sealed credentials for a CRB's POS, apart from the CRB: not every function that reads it may read them. */
export const posCredentialsKey = (crbId: string): Key => key(`POS_CREDENTIALS#${crbId}`, "POS_CREDENTIALS");

/** The recorded outcome of a request with an `Idempotency-Key`. */
export const idempotencyKey = (spId: string, requestKey: string): Key =>
  key(ofProvider(spId, "IDEMPOTENCY"), requestKey);

/** Prefix of the range keys of `purgedCrbKey`. No idempotency key has a blank. */
export const purgedPrefix = "PURGED ";

/** Marks a CRB as purged: no `Idempotency-Key` makes a CRB with its id. It has a digest, so no item names the CRB. */
export const purgedCrbKey = (spId: string, crbId: string): Key =>
  idempotencyKey(spId, `${purgedPrefix}${digestOf(crbId)}`);
