import type { Key } from "./key.ts";

export const depositPartition = (crbId: string): string => `CRB#${crbId}#DEPOSIT`;

export const depositKey = (crbId: string, id: string): Key => ({ pk: depositPartition(crbId), sk: id });

/** The position of a deposit in the list, newest day first. */
export const depositRank = (day: string, id: string): string => `${day}#${id}`;

/** A position after all deposits of a day: `$` follows `#` in ASCII. */
export const lastDepositRank = (day: string): string => `${day}$`;

/** The settings and the daily sums of a CRB's reconciliation. */
export const reconciliationPartition = (crbId: string): string => `CRB#${crbId}#RECONCILIATION`;

const reconciliation = (crbId: string, sk: string): Key => ({ pk: reconciliationPartition(crbId), sk });

/** The sums of deposits and the cash counts of the days of a year. These keys are sorted before the others. */
export const reconciliationYearKey = (crbId: string, year: string): Key => reconciliation(crbId, year);

/** What insights keep of a CRB's reconciliation days. */
export const depositCasesKey = (crbId: string): Key => reconciliation(crbId, "CASES");

export const reconciliationSettingsKey = (crbId: string): Key => reconciliation(crbId, "SETTINGS");

export const reconciledCrbPartition = "RECONCILED_CRBS";

/** A CRB with deposits, cash counts or settings, in the list of all. */
export const reconciledCrbKey = (crbId: string): Key => ({ pk: reconciledCrbPartition, sk: crbId });
