import { type Key, key, ofCrb } from "./key.ts";

export const depositPartition = (crbId: string): string => ofCrb(crbId, "DEPOSIT");

export const depositKey = (crbId: string, id: string): Key => key(depositPartition(crbId), id);

/** The settings and the daily sums of a CRB's reconciliation. */
export const reconciliationPartition = (crbId: string): string => ofCrb(crbId, "RECONCILIATION");

/** The sums of deposits and the cash counts of the days of a year. These keys are sorted before the others. */
export const reconciliationYearKey = (crbId: string, year: string): Key => key(reconciliationPartition(crbId), year);

/** What insights keep of a CRB's reconciliation days. */
export const depositCasesKey = (crbId: string): Key => key(reconciliationPartition(crbId), "CASES");

export const reconciliationSettingsKey = (crbId: string): Key => key(reconciliationPartition(crbId), "SETTINGS");

export const reconciledCrbPartition = "RECONCILED_CRBS";

/** A CRB with deposits, cash counts or settings, in the list of all. */
export const reconciledCrbKey = (crbId: string): Key => key(reconciledCrbPartition, crbId);

/** The place at which the next sweep of reconciliation days continues, if the last sweep ran out of time. */
export const reconciliationSweepKey: Key = { pk: "RECONCILIATION_SWEEP", sk: "RECONCILIATION_SWEEP" };
