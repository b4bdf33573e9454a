import { type Key, key, ofCrb } from "./key.ts";

/** What a statement must know of earlier days of a CRB: the statuses of its licenses, and consents. */
export const crbHistoryPartition = (crbId: string): string => ofCrb(crbId, "HISTORY");

export const licenseHistoryPrefix = "LICENSE#";
export const consentHistoryPrefix = "CONSENT#";

/** @param date when the consent was given or withdrawn */
export const consentHistoryKey = (crbId: string, date: string): Key =>
  key(crbHistoryPartition(crbId), `${consentHistoryPrefix}${date}`);

/** A status of a linked license since a day. @param linkedDate when it was linked @param version of the link */
export function licenseHistoryKey(crbId: string, licenseId: string, day: string, linkedDate: string, version: number) {
  const order = [day, linkedDate, String(version).padStart(9, "0")];
  return key(crbHistoryPartition(crbId), `${licenseHistoryPrefix}${licenseId}`, ...order);
}
