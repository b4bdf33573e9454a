import { type Key, key, nameParts, ofProvider } from "./key.ts";

/** The access reports of a service provider, and how many were made. */
export const accessReportsPartition = (spId: string): string => ofProvider(spId, "ACCESS_REPORT");

export const accessReportKey = (spId: string, id: string): Key => key(accessReportsPartition(spId), id);

/** The access reports that are not made yet, oldest first. */
export const accessReportsDuePartition = "ACCESS_REPORTS_DUE";

export const accessReportDueKey = (created: string, spId: string, reportId: string): Key =>
  key(accessReportsDuePartition, created, spId, reportId);

export const parseAccessReportDueKey = (sk: string) => nameParts(sk, "created", "spId", "reportId");
