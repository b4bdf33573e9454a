/** Days that the table's continuous backups reach back. */
export const backupDays = 35;

/**
 * Days that AWS Backup keeps a nightly backup in the stage's own region, and its copy in the other. A backup must exist
 * until its copy is complete, and the first copy of a large bucket takes days. For older states, the table has
 * continuous backups.
 */
export const recoveryPointDays = { table: 2, documents: 7, copies: 7 };
