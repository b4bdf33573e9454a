/** Days that the table's continuous backups reach back. */
export const backupDays = 35;

/**
 * Days for which AWS Backup keeps a nightly backup in the stage's own region, and the backup's copy in the recovery
 * region. A backup must exist until its copy is complete, and the first copy of a large bucket takes days. For older
 * states of the table, use its continuous backups.
 */
export const recoveryPointDays = { table: 2, documents: 7, copies: 7 };
