import { type Key, key, ofProvider } from "./key.ts";

/** The access reports of a service provider, and how many were made. */
export const accessReportsPartition = (spId: string): string => ofProvider(spId, "ACCESS_REPORT");

export const accessReportKey = (spId: string, id: string): Key => key(accessReportsPartition(spId), id);

/** The number of a service provider's access reports that were created on a UTC day. */
export const accessReportCountKey = (spId: string, day: string): Key => accessReportKey(spId, `DAY#${day}`);
