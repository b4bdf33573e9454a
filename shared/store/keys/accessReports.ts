import { type Key, key, ofProvider } from "./key.ts";

/** The access reports of a service provider, and how many were made. */
export const accessReportsPartition = (spId: string): string => ofProvider(spId, "ACCESS_REPORT");

export const accessReportKey = (spId: string, id: string): Key => key(accessReportsPartition(spId), id);
