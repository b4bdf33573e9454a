import { readStatus } from "./readStatus.ts";
import type { RegisterLicense } from "./registerLicense.ts";

type Row = RegisterLicense["content"];

/**
 * Combines different rows of one license. States list a license again if it was renewed or moved.
 *
 * @returns the row that ends last, and its index; the uniform status is "Unknown" and the index undefined if rows have
 *   different uniform statuses and none of them is certainly older
 */
export function combineRows(rows: readonly Row[]): { content: Row; index: number | undefined } {
  const present = rows.filter((row) => !rows.some((other) => isOlder(row, other)));
  const last = present.reduce((one, other) => (endsLater(other, one) ? other : one));
  const statuses = new Set(present.map((row) => row.uniform_license_status_description));
  if (statuses.size === 1) return { content: last, index: rows.indexOf(last) };
  const reported = [...new Set(present.map((row) => row.reported_license_status))].sort().join("; ");
  const content = {
    ...last,
    reported_license_status: reported,
    uniform_license_status_description: "Unknown",
  } as const;
  return { content, index: undefined };
}

/** Without an expiry, no end is known. */
const endOf = ({ expires_at }: Row): string => expires_at ?? "9999-12-31";

/** Of rows with one end, one that has not only expired comes last, then one by its text: the order in the file says nothing. */
function endsLater(row: Row, other: Row): boolean {
  if (endOf(row) !== endOf(other)) return endOf(row) > endOf(other);
  const [isExpired, isOtherExpired] = [row, other].map((each) => readStatus(each.reported_license_status).isExpired);
  return isExpired === isOtherExpired ? JSON.stringify(row) > JSON.stringify(other) : Boolean(isOtherExpired);
}

/** Whether a row is certainly earlier than another: it ends before the other begins, or is expired and the other ends later. */
function isOlder(row: Row, other: Row): boolean {
  const { expires_at: end } = row;
  if (end === null || end >= endOf(other)) return false;
  if (other.issued_at !== null && other.issued_at > end) return true;
  return other.expires_at !== null && readStatus(row.reported_license_status).isExpired;
}
