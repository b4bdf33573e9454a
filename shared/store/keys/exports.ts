import type { Key } from "./key.ts";

/** An export of a CRB's records. */
export function exportKey(crbId: string, exportId: string): Key {
  return { pk: `CRB#${crbId}#EXPORT`, sk: exportId };
}

/** The ids of a CRB's live exports. The item is in the partition of the exports, and no export has its range key. */
export function liveExportsKey(crbId: string): Key {
  return exportKey(crbId, "LIVE");
}

/**
 * The number of exports of a CRB that were created on a day. The item is in the partition of the exports.
 *
 * @param day UTC day
 */
export function exportCountKey(crbId: string, day: string): Key {
  return exportKey(crbId, `DAY#${day}`);
}

/** The waiting exports of a service provider, and its running one. */
const exportLine = (spId: string): string => `SERVICE_PROVIDER#${spId}#EXPORTS`;

/** The running export of a service provider. */
export function runningExportKey(spId: string): Key {
  return { pk: exportLine(spId), sk: "RUNNING" };
}

/**
 * A queued export of a service provider.
 *
 * @param created ISO 8601 UTC, so that the range keys sort by time, and before that of the running export
 */
export function waitingExportKey(spId: string, created: string, crbId: string, exportId: string): Key {
  return { pk: exportLine(spId), sk: `${created}#${crbId}#${exportId}` };
}

/**
 * Records that a credential received links to the files of an export. The item has no id of a business, so that it may
 * stay after a purge, until DynamoDB removes it with the export (TTL attribute `expires`).
 */
export function exportLinksKey(clientId: string, exportId: string): Key {
  return { pk: `EXPORT_LINKS#${clientId}`, sk: exportId };
}

/**
 * A live export, by the time at which the sweeper must look at it. An export that is not ready has its creation as
 * this time, so that the sweeper looks at it in every run.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export function exportDueKey(due: string, crbId: string, exportId: string): Key {
  return { pk: exportDuePartition, sk: `${due}#${crbId}#${exportId}` };
}

export const exportDuePartition = "EXPORT_DUE";

/** The CRB and the export in a range key of `exportDueKey` or `waitingExportKey`. */
export function parseExportDueKey(sk: string): { crbId: string; exportId: string } {
  const [, crbId = "", exportId = ""] = sk.split("#");
  return { crbId, exportId };
}
