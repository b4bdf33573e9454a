import { type Key, key, nameParts, ofCrb, ofProvider } from "./key.ts";

export const exportKey = (crbId: string, exportId: string): Key => key(ofCrb(crbId, "EXPORT"), exportId);

export const liveExportsKey = (crbId: string): Key => exportKey(crbId, "LIVE");

/** The waiting exports of a service provider, and its running one. */
const exportQueue = (spId: string): string => ofProvider(spId, "EXPORTS");

export const runningExportKey = (spId: string): Key => key(exportQueue(spId), "RUNNING");

/** These keys are sorted before that of the running export. */
export const waitingExportKey = (spId: string, created: string, crbId: string, exportId: string): Key =>
  key(exportQueue(spId), created, crbId, exportId);

/** Records that a credential received links to the files of an export. It names no business, so it may stay after a purge. */
export const exportLinksKey = (clientId: string, exportId: string): Key => key(`EXPORT_LINKS#${clientId}`, exportId);

export const exportDuePartition = "EXPORT_DUE";

/** A live export, by the time at which the sweeper must look at it: until it is ready, its creation. */
export const exportDueKey = (due: string, crbId: string, exportId: string): Key =>
  key(exportDuePartition, due, crbId, exportId);

/** Also for `waitingExportKey`. */
export const parseExportDueKey = (sk: string) => nameParts(sk, "due", "crbId", "exportId");
