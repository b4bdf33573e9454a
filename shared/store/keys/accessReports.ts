import type { Key } from "./key.ts";

/** The access reports of a service provider, and how many were made. */
export const accessReportsPartition = (spId: string): string => `SERVICE_PROVIDER#${spId}#ACCESS_REPORT`;

/** An access report. In the index `byRank`, its rank sorts it by its creation. */
export const accessReportKey = (spId: string, reportId: string): Key => ({
  pk: accessReportsPartition(spId),
  sk: reportId,
});

/** The position of an access report in the list, newest first. */
export const accessReportRank = (created: string, reportId: string): string => `${created}#${reportId}`;

/**
 * How many access reports of a service provider were created on a day.
 *
 * @param day UTC day
 */
export const accessReportCountKey = (spId: string, day: string): Key => accessReportKey(spId, `DAY#${day}`);
