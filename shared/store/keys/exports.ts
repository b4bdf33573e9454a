import type { Key } from "./key.ts";

export const exportKey = (crbId: string, exportId: string): Key => ({ pk: `CRB#${crbId}#EXPORT`, sk: exportId });

export const liveExportsKey = (crbId: string): Key => exportKey(crbId, "LIVE");

/** The number of exports of a CRB that were created on a UTC day. */
export const exportCountKey = (crbId: string, day: string): Key => exportKey(crbId, `DAY#${day}`);

/** The waiting exports of a service provider, and its running one. */
const exportQueue = (spId: string): string => `SERVICE_PROVIDER#${spId}#EXPORTS`;

export const runningExportKey = (spId: string): Key => ({ pk: exportQueue(spId), sk: "RUNNING" });

/** @param created ISO 8601 UTC, so that the range keys sort by time, and before that of the running export */
export const waitingExportKey = (spId: string, created: string, crbId: string, exportId: string): Key => ({
  pk: exportQueue(spId),
  sk: `${created}#${crbId}#${exportId}`,
});

/** Records that a credential received links to the files of an export. It names no business, so it may stay after a purge. */
export const exportLinksKey = (clientId: string, exportId: string): Key => ({
  pk: `EXPORT_LINKS#${clientId}`,
  sk: exportId,
});

export const exportDuePartition = "EXPORT_DUE";

/**
 * A live export, by the time at which the sweeper must look at it: until it is ready, its creation.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export const exportDueKey = (due: string, crbId: string, exportId: string): Key => ({
  pk: exportDuePartition,
  sk: `${due}#${crbId}#${exportId}`,
});

/** The CRB and the export in a range key of `exportDueKey` or `waitingExportKey`. */
export function parseExportDueKey(sk: string): { crbId: string; exportId: string } {
  const [, crbId = "", exportId = ""] = sk.split("#");
  return { crbId, exportId };
}
