import type { Key } from "./key.ts";

/** The current generation of the licenses (`shared/domain/licenses/presentGeneration.ts`). */
export const licensesKey: Key = { pk: "LICENSES", sk: "PRESENT" };

/** The generation and the day with which all linked licenses were last compared. */
export const comparedLicensesKey: Key = { pk: "LICENSES", sk: "COMPARED" };

/** A license that is linked to a CRB. One partition holds all links of a service provider. */
export function linkedLicenseKey(serviceProviderId: string, crbId: string, licenseId: string): Key {
  return { pk: linkedLicensesPartition(serviceProviderId), sk: `${linkedLicensePrefix(crbId)}${licenseId}` };
}

/** The statuses of all licenses that are linked to a CRB. */
export function crbLicensesKey(serviceProviderId: string, crbId: string): Key {
  return { pk: crbLicensesPartition(serviceProviderId), sk: crbId };
}

export const crbLicensesPartition = (serviceProviderId: string): string => `${licensedPrefix}${serviceProviderId}`;

/**
 * The beginning of the partitions of CRBs by their licenses. It comes first, so that one short pattern of IAM matches all of
 * them.
 */
export const licensedPrefix = "LICENSED#";

export const linkedLicensesPartition = (serviceProviderId: string): string =>
  `SERVICE_PROVIDER#${serviceProviderId}#LICENSES`;

/** Begins the range keys of the licenses that are linked to a CRB; without a CRB, to any CRB. */
export const linkedLicensePrefix = (crbId?: string): string => (crbId === undefined ? "LINK#" : `LINK#${crbId}#`);

/** The CRB and the license in a range key of `linkedLicenseKey`. */
export function parseLinkedLicenseKey(sk: string): { crbId: string; licenseId: string } {
  const [, crbId = "", licenseId = ""] = sk.split("#");
  return { crbId, licenseId };
}
