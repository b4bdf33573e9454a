import { type Key, key, nameParts, ofProvider } from "./key.ts";

/** The current generation of the licenses (`shared/domain/licenses/presentGeneration.ts`). */
export const licensesKey: Key = { pk: "LICENSES", sk: "PRESENT" };

/** The generation and the day with which all linked licenses were last compared. */
export const comparedLicensesKey: Key = { pk: "LICENSES", sk: "COMPARED" };

export const linkedLicensesPartition = (spId: string): string => ofProvider(spId, "LICENSES");

/** Begins the range keys of the licenses that are linked to a CRB; without a CRB, to any CRB. */
export const linkedLicensePrefix = (crbId?: string): string => (crbId === undefined ? "LINK#" : `LINK#${crbId}#`);

export const linkedLicenseKey = (spId: string, crbId: string, licenseId: string): Key =>
  key(linkedLicensesPartition(spId), "LINK", crbId, licenseId);

export const parseLinkedLicenseKey = (sk: string) => nameParts(sk, "link", "crbId", "licenseId");

/** The beginning of the partitions of CRBs by their licenses: first, so that one short pattern of IAM matches all. */
export const licensedPrefix = "LICENSED#";

export const crbLicensesPartition = (spId: string): string => `${licensedPrefix}${spId}`;

/** The statuses of all licenses that are linked to a CRB. */
export const crbLicensesKey = (spId: string, crbId: string): Key => key(crbLicensesPartition(spId), crbId);
