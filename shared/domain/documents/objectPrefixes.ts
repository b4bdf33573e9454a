/** The key prefix of the files of a CRB's exports. */
export const exportPrefix = (crbId: string): string => `exports/${crbId}/`;

/** The key prefix of the files of a CRB's statements. The bucket's policy denies their deletion to all functions. */
export const statementPrefix = (crbId: string): string => `statements/${crbId}/`;

/** The key prefix of the daily snapshots of a CRB's inventory. */
export const snapshotPrefix = (crbId: string): string => `inventory/${crbId}/`;

/**
 * The key prefixes of all objects of a CRB: documents, uploads that did not become documents, files of exports and
 * statements, and daily snapshots of its inventory.
 */
export const objectPrefixes = (crbId: string): string[] => [
  `${crbId}/`,
  `uploads/${crbId}/`,
  exportPrefix(crbId),
  statementPrefix(crbId),
  snapshotPrefix(crbId),
];
