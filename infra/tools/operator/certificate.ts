import { backupDays } from "../../backup/backupDays.ts";
import type { Target } from "./target.ts";

const dayMilliseconds = 86_400_000;

/** An instant so many days later. */
export const daysLater = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMilliseconds);

/** A UTC day, yyyy-MM-dd. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Until when the table's backups hold what has just been taken away. */
export function heldByBackups({ local }: Target, now: Date): string {
  return local ? "none on this machine" : `hold what was erased until ${dayOf(daysLater(now, backupDays))}`;
}
