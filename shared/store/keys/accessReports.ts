import type { Key } from "./key.ts";

/** The access reports of a service provider, and how many were made. */
export const accessReportsPartition = (spId: string): string => `SERVICE_PROVIDER#${spId}#ACCESS_REPORT`;

export const accessReportKey = (spId: string, id: string): Key => ({ pk: accessReportsPartition(spId), sk: id });

/** The position of an access report in the list, newest first. */
export const accessReportRank = (created: string, reportId: string): string => `${created}#${reportId}`;

/** The number of a service provider's access reports that were created on a UTC day. */
export const accessReportCountKey = (spId: string, day: string): Key => accessReportKey(spId, `DAY#${day}`);
