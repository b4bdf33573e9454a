/** For so many days the table's continuous backups hold what was in it. */
export const backupDays = 35;

/**
 * Days that AWS Backup keeps a nightly backup in the stage's own region, and its copy in the other one. A backup must outlast
 * its copying, and the first copy of a large bucket takes days. The table has continuous backups for anything older.
 */
export const recoveryPointDays = { table: 2, documents: 7, copies: 7 };
