import { exportMinutes } from "../../shared/domain/copies/changeFolders.ts";

/** Days that the table's continuous backups reach back. */
export const backupDays = 35;

/**
 * Days for which AWS Backup keeps a backup in the stage's own region, and the backup's copy in the recovery region. A
 * backup must exist until its copy is complete, and the first copy of a large bucket takes days. For older states of
 * the table, use its continuous backups. A copy of the table outlives the next copy by two days.
 */
export const recoveryPointDays = { table: 2, tableCopies: 8, documents: 7, documentCopies: 7 };

/**
 * The days of a month on which the whole table is copied. At most six days lie between two copies, because an alarm can
 * look back seven days at most.
 */
export const tableCopyDays = [1, 6, 11, 16, 21, 26] as const;

/**
 * The exports of the table's changes to the recovery region. They outlive the oldest copy of the table, so a copy always
 * has the changes that follow it.
 */
export const changeExports = { minutes: exportMinutes, daysKept: recoveryPointDays.tableCopies + 2 };
