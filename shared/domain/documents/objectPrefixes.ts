/** The key prefix of the files of a CRB's exports. */
export const exportPrefix = (crbId: string): string => `exports/${crbId}/`;

/** The key prefix of the daily snapshots of a CRB's inventory. */
export const snapshotPrefix = (crbId: string): string => `inventory/${crbId}/`;

/**
 * The key prefixes of all objects of a CRB: documents, uploads that did not become documents, files of exports, and
 * daily snapshots of its inventory.
 */
export const objectPrefixes = (crbId: string): string[] => [
  `${crbId}/`,
  `uploads/${crbId}/`,
  exportPrefix(crbId),
  snapshotPrefix(crbId),
];
