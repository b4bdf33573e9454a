import { fromLocalTime } from "../../../time/localTime.ts";

/** Dutchie writes customers' dates as `09/12/2023 14:05:06`. */
const iso = (text: string | null) => text?.replace(/^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/, "$3-$1-$2") ?? "";

const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Normalizes an instant of a POS to ISO 8601 UTC with milliseconds. Accepts ISO 8601 with 0 to 9 fractional digits and
 * a time zone in any spelling. A text without a time zone counts as UTC.
 *
 * @returns null for null, for an invalid date, and for a year outside 2000 to 2099: some POS systems write the year 1
 * or 1900 for a missing date
 */
export function utcInstant(text: string | null): string | null {
  const wall = wallClock(text);
  if (wall === null) return null;
  const zone = zoneOf(text);
  const instant = new Date(`${wall.replace(" ", "T")}${zone}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

/** The date and time in the text, as `yyyy-MM-dd HH:mm:ss.SSS` without its zone; null as in `utcInstant`. */
export function wallClock(text: string | null): string | null {
  const [, day = "", time = "", fraction = ""] = form.exec(iso(text)) ?? [];
  const local = `${day} ${time.padEnd(8, ":00")}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  // UTC has no daylight saving, so this check accepts every valid date and time.
  return day.startsWith("20") && fromLocalTime(local, "UTC") !== null ? local : null;
}

/** Whether the text states an offset from UTC in digits. */
export function statesOffset(text: string | null): boolean {
  return /^[+-]/.test(form.exec(iso(text))?.[4] ?? "");
}

/** Whether the text states a time zone: `Z` or an offset. */
export function statesZone(text: string | null): boolean {
  return form.exec(iso(text))?.[4] !== undefined;
}

function zoneOf(text: string | null): string {
  const zone = form.exec(iso(text))?.[4]?.toUpperCase() ?? "Z";
  return zone === "Z" ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
}

/**
 * A day without a time, such as a date of birth: the first ten characters, never shifted by a time zone.
 *
 * @returns yyyy-MM-dd; null for null, for an invalid date, and for a year up to 1900, which some POS systems write for
 * a missing date
 */
export function plainDay(text: string | null): string | null {
  const day = iso(text).slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < "1901") return null;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : null;
}

/** Whether a text begins with a date of a year outside 2000 to 2099, as some POS systems write for a missing date. */
export function isPlaceholderDate(text: string | null): boolean {
  return /^(?!20)\d{4}-\d{2}-\d{2}/.test(iso(text));
}

/**
 * The instant in a text. A day alone means its beginning in `timezone`.
 *
 * @param timezone IANA name
 * @returns ISO 8601 UTC; null in the same cases as `utcInstant`
 */
export function instantOrDay(text: string | null, timezone: string): string | null {
  const day = /^[\d/-]{10}$/.test(text ?? "") ? plainDay(text) : null;
  return day === null ? utcInstant(text) : fromLocalTime(`${day} 00:00:00.000`, timezone);
}
