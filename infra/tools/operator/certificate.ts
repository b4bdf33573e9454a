import { backupDays } from "../../backup/backupDays.ts";
import type { Target } from "./target.ts";

const dayMilliseconds = 86_400_000;

export const daysLater = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMilliseconds);

/** A UTC day, yyyy-MM-dd. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The last day on which the table's backups hold the erased data. */
export function heldByBackups({ local }: Target, now: Date): string {
  return local ? "none on this machine" : `contain the erased data until ${dayOf(daysLater(now, backupDays))}`;
}
