/** For so many days the table's continuous backups hold what was in it. */
export const backupDays = 35;

/** Days that the daily copies are kept: here until they are there, and there. */
export const keptDays = { here: 2, there: 7 };
