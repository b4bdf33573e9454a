import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";
import { addDays } from "../../time/addDays.ts";
import { readStatus } from "../licenses/readStatus.ts";

/** The values of a license in its register that decide the status of its links. */
export interface RegisterFacts {
  /** Whether the register says that the license does not permit business, for another reason than its expiry. */
  isInactive: boolean;
  /** Whether the register does not say if the license permits business. */
  isUnknown: boolean;
  /** Whether the register itself says that the license has expired. */
  isExpired: boolean;
  /** yyyy-MM-dd; null if the register has no such date. */
  expiresAt: string | null;
  /** The day of the license's status in the register, yyyy-MM-dd. */
  statusDate: string;
  /** The UTC day of the import since which the register lacks the license; null while the register has it. */
  missingSince: string | null;
  /** The first day without permission by earlier rows, if the license has not permitted business since; of links only. */
  endedSince?: string | null;
}

/** The days before the expiry of a license on which `license.expiring` is sent, the longest period first. */
const noticeDays = [90, 30, 7] as const;

const inactiveStatuses: ReadonlySet<License["uniform_license_status_description"]> = new Set([
  "Inactive",
  "Pre-License",
  "Unlicensed",
]);

/** An approved license may lack a condition for business, and a pending license may be one whose change is pending. */
const unknownStatuses: ReadonlySet<License["uniform_license_status_description"]> = new Set([
  "Unknown",
  "Approved/Pending",
]);

/** @param missingSince the UTC day of the import since which the register lacks the license */
export function registerFacts(license: License, missingSince: string | undefined): RegisterFacts {
  const { uniform_license_status_description: uniform, reported_license_status: reported } = license;
  // A file or a layout may state the uniform status itself, and then the reported words decide no more than the reason.
  const isExpired = uniform === "Inactive" && readStatus(reported).isExpired;
  return {
    isInactive: inactiveStatuses.has(uniform) && !isExpired,
    isUnknown: unknownStatuses.has(uniform),
    isExpired,
    expiresAt: license.expires_at,
    statusDate: license.status_date,
    missingSince: missingSince ?? null,
  };
}

/**
 * The day with which expiries are compared, yyyy-MM-dd. It is the day in the US time zone in which each day begins last,
 * so no license is reported as expired before its last day has ended everywhere.
 */
export function licenseDay(now: Date): string {
  const hoursBehindUtc = 11;
  return new Date(now.getTime() - hoursBehindUtc * 3_600_000).toISOString().slice(0, 10);
}

/** The status of a link on a day, and the first day of this status (docs/spec.md#linked-licenses). */
export function statusOn(
  { isInactive, isUnknown, isExpired, expiresAt, statusDate, missingSince }: RegisterFacts,
  day: string,
): { status: LinkedLicenseStatus; statusDate: string } {
  if (missingSince !== null) return { status: "missing", statusDate: missingSince };
  if (isInactive) return { status: "inactive", statusDate };
  if (expiresAt !== null && expiresAt < day) return { status: "expired", statusDate: addDays(expiresAt, 1) };
  if (isExpired && expiresAt === null) return { status: "expired", statusDate };
  // A register that says "expired" before `expiresAt` has passed contradicts itself.
  if (isUnknown || isExpired) return { status: "unknown", statusDate };
  const expiringFrom = expiresAt === null ? undefined : addDays(expiresAt, -noticeDays[0]);
  if (expiringFrom !== undefined && expiringFrom <= day) return { status: "expiring", statusDate: expiringFrom };
  return { status: "active", statusDate };
}

/**
 * The first day on which a license does not permit business, by the register of a day. A register without a date of the
 * status has the day of the import in its place, so an earlier expiry is the end, or the end by an earlier row.
 *
 * @returns null if it permits business, or if no such day is certain
 */
export function endOn(facts: RegisterFacts, day: string): string | null {
  const { status, statusDate } = statusOn(facts, day);
  if (status !== "expired" && status !== "inactive") return null;
  const { expiresAt, endedSince } = facts;
  const days = [statusDate, expiresAt === null ? statusDate : addDays(expiresAt, 1), endedSince ?? statusDate];
  return days.sort()[0] as string;
}

/** A notice of an expiry that was sent: the expiry, and the notice period (one of `noticeDays`). */
export interface ExpiryNotice {
  expiresAt: string;
  period: number;
}

/**
 * The notice that is due on a day. If several periods have begun since the last notice, one notice covers them. A license
 * that is expired, inactive or missing gets none. A license with an unknown status gets them, because its expiry is known.
 * A renewed license gets the notices of its new expiry.
 *
 * @param sent the last notice that was sent
 * @returns the notice with the days that remain; undefined if none is due
 */
export function dueNotice(
  facts: RegisterFacts,
  day: string,
  sent: ExpiryNotice | undefined,
): (ExpiryNotice & { days: number }) | undefined {
  const { expiresAt } = facts;
  const { status } = statusOn(facts, day);
  if (expiresAt === null || (status !== "expiring" && status !== "unknown")) return undefined;
  const days = Math.round((Date.parse(expiresAt) - Date.parse(day)) / 86_400_000);
  const period = noticeDays.findLast((each) => days <= each);
  if (period === undefined) return undefined;
  if (sent?.expiresAt === expiresAt && sent.period <= period) return undefined;
  return { expiresAt, period, days };
}
