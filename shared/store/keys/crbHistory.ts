import type { Key } from "./key.ts";

/** What a statement must know of earlier days of a CRB: the statuses of its licenses, and consents. */
export const crbHistoryPartition = (crbId: string): string => `CRB#${crbId}#HISTORY`;

export const licenseHistoryPrefix = "LICENSE#";
export const consentHistoryPrefix = "CONSENT#";

/** @param date when the consent was given or withdrawn, ISO 8601 UTC */
export const consentHistoryKey = (crbId: string, date: string): Key => ({
  pk: crbHistoryPartition(crbId),
  sk: `${consentHistoryPrefix}${date}`,
});

/**
 * A status of a linked license since a day.
 *
 * @param linkedDate when the license was linked, ISO 8601 UTC
 * @param version of the link
 */
export function licenseHistoryKey(
  crbId: string,
  licenseId: string,
  day: string,
  linkedDate: string,
  version: number,
): Key {
  const order = `${day}#${linkedDate}#${String(version).padStart(9, "0")}`;
  return { pk: crbHistoryPartition(crbId), sk: `${licenseHistoryPrefix}${licenseId}#${order}` };
}
