// The exports of a table's changes in the bucket of the recovery region: one folder for each hour.

/** The minutes that one export covers. */
export const exportMinutes = 60;

/** The folder of all exports in the bucket. */
export const changesFolder = "changes/";

/** The folder of a table's exports. */
export const tableFolder = (tableName: string): string => `${changesFolder}${tableName}/`;

/** The folder of the exports that begin at a time. Folders sort by time. */
export const exportFolder = (tableName: string, from: Date): string =>
  `${tableFolder(tableName)}${from.toISOString().slice(0, 16)}Z/`;

/** The end of the key of an hour's mark. */
export const markEnding = ".complete";

/** An empty object next to an hour's folder. It says that an export of the hour is complete. */
export const completeMark = (tableName: string, from: Date): string =>
  `${exportFolder(tableName, from).slice(0, -1)}${markEnding}`;
