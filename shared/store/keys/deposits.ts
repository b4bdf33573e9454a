import type { Key } from "./key.ts";

/** The deposits of a CRB. */
export const depositPartition = (crbId: string): string => `CRB#${crbId}#DEPOSIT`;

/** A deposit. In the index `byRank`, its rank sorts it by the day on which it counts. */
export const depositKey = (crbId: string, id: string): Key => ({ pk: depositPartition(crbId), sk: id });

/** The position of a deposit in the list, newest day first. */
export const depositRank = (day: string, id: string): string => `${day}#${id}`;

/** A position after all deposits of a day: `$` follows `#` in ASCII. */
export const lastDepositRank = (day: string): string => `${day}$`;

/** The partition of the settings and of the daily sums of a CRB's reconciliation. */
export const reconciliationPartition = (crbId: string): string => `CRB#${crbId}#RECONCILIATION`;

/** The sums of deposits and the cash counts of the days of a year. These keys are sorted before that of the settings. */
export const reconciliationYearKey = (crbId: string, year: string): Key => ({
  pk: reconciliationPartition(crbId),
  sk: year,
});

/** The settings of a CRB's reconciliation, with the numbers of its deposits and cash counts. */
export const reconciliationSettingsKey = (crbId: string): Key => ({
  pk: reconciliationPartition(crbId),
  sk: "SETTINGS",
});

/** What insights keep of a CRB's reconciliation days. The key is sorted between the years and the settings. */
export const depositCasesKey = (crbId: string): Key => ({ pk: reconciliationPartition(crbId), sk: "CASES" });

/** The CRBs with deposits, cash counts or settings. The partition lists all of them. */
export const reconciledCrbKey = (crbId: string): Key => ({ pk: reconciledCrbPartition, sk: crbId });

export const reconciledCrbPartition = "RECONCILED_CRBS";
