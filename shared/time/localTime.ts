import { TZDate, tzOffset } from "@date-fns/tz";

/**
 * Formats an instant in a business's local time: `yyyy-MM-dd HH:mm:ss.SSS` (`local-dt` of
 * docs/spec.md#identifiers-times-and-money).
 *
 * @param instant ISO 8601 with Z
 * @param timezone IANA name
 * @returns null for null, for text that is not an instant, and for a year outside 2000 to 2099, because the
 * specification's pattern allows only these years
 */
export function toLocalTime(instant: string | null, timezone: string): string | null {
  const time = Date.parse(instant ?? "");
  if (Number.isNaN(time)) {
    return null;
  }
  const shown = clockText(new Date(time + tzOffset(timezone, new Date(time)) * 60_000));
  return shown.startsWith("20") ? shown : null;
}

/** The local day of a business at an instant, yyyy-MM-dd. */
export function localDay(instant: Date, timezone: string): string {
  return clockText(new Date(instant.getTime() + tzOffset(timezone, instant) * 60_000)).slice(0, 10);
}

/**
 * The instant of a local time `yyyy-MM-dd HH:mm:ss.SSS`. If the time occurs twice because daylight saving ends, the
 * first instant is returned. If the time does not occur because daylight saving begins, it is moved forward by the
 * length of the gap: 02:30 becomes 03:30.
 *
 * @returns ISO 8601 UTC with milliseconds; null for text of another form or an impossible date
 */
export function fromLocalTime(local: string, timezone: string): string | null {
  const asUtc = new Date(`${local.replace(" ", "T")}Z`);
  if (Number.isNaN(asUtc.getTime()) || clockText(asUtc) !== local) {
    return null;
  }
  const instant = new TZDate(
    asUtc.getUTCFullYear(),
    asUtc.getUTCMonth(),
    asUtc.getUTCDate(),
    asUtc.getUTCHours(),
    asUtc.getUTCMinutes(),
    asUtc.getUTCSeconds(),
    asUtc.getUTCMilliseconds(),
    timezone,
  );
  return new Date(instant.getTime()).toISOString();
}

/**
 * All instants of a local time `yyyy-MM-dd HH:mm:ss.SSS`: two for a time that occurs twice because daylight saving ends,
 * none for a time that does not occur because it begins.
 *
 * @returns ISO 8601 UTC with milliseconds, in order; empty also for text of another form or an impossible date
 */
export function instantsOfLocalTime(local: string, timezone: string): string[] {
  const asUtc = Date.parse(`${local.replace(" ", "T")}Z`);
  if (Number.isNaN(asUtc)) return [];
  // The offset of the day before and of the day after. Between them, a clock changes at most once.
  const offsets = [-1, 1].map((days) => tzOffset(timezone, new Date(asUtc + days * 86_400_000)));
  const instants = offsets.map((minutes) => new Date(asUtc - minutes * 60_000).toISOString());
  return [...new Set(instants)].filter((instant) => toLocalTime(instant, timezone) === local).sort();
}

function clockText(instant: Date): string {
  return instant.toISOString().slice(0, -1).replace("T", " ");
}
