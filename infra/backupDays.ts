/** For so many days the table's continuous backups hold what was in it. */
export const backupDays = 35;
