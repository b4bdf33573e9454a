import { backupDays, changeExports, recoveryPointDays } from "../../backup/backupDays.ts";
import { type AwsSettings, type StageSettings, stages } from "../../stages/stages.ts";
import type { Target } from "./target.ts";

const dayMilliseconds = 86_400_000;

export const daysLater = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMilliseconds);

/** A UTC day, yyyy-MM-dd. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The days after the end of an export until S3 has removed all versions of its files (`infra/stacks/dataStack.ts`). */
export const exportVersionDays = 2;

/**
 * The backups that still hold data which was removed at an instant, as facts of a certificate: each kind of backup with the
 * last day on which it may hold the data. A backup in progress at that instant holds the data, too, and AWS removes expired
 * backups and objects within a day. So each day but that of the continuous backups is a day later than the retention.
 */
export function heldByBackups({ local, stage }: Target, now: Date): Record<string, string> {
  if (local) return { backups: "none on this machine" };
  const { recoveryRegion }: Partial<AwsSettings> = (stages[stage] as StageSettings).aws ?? {};
  const until = (days: number) => `until ${dayOf(daysLater(now, days))}`;
  const { tableCopies, documents, documentCopies } = recoveryPointDays;
  return {
    backups: `the table's contain the data ${until(backupDays)}`,
    ...(recoveryRegion && {
      "backups of files": `contain its files ${until(documents + 1)}`,
      [`copies in ${recoveryRegion}`]:
        `of the table ${until(tableCopies + 1)}, of its changes ${until(changeExports.daysKept + 1)}, ` +
        `of files ${until(documentCopies + 1)}`,
    }),
  };
}
