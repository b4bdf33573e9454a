import * as z from "zod";

/** Nothing, or a time with or without a zone: `T23:30:00-08:00`, ` 12:00:00 AM`. Other text may change the meaning. */
const timeAfterDay =
  /^(?:(?:\s+|T)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AP]\.?M\.?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses a day as license registers and spreadsheets write it: `yyyy-MM-dd` or `M/d/yyyy`, with or without a time after
 * it.
 *
 * @returns yyyy-MM-dd; undefined if the text is not a day
 */
export function parseRegisterDate(text: string): string | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/s.exec(text);
  const iso = /^(\d{4}-\d{2}-\d{2})(.*)$/s.exec(text);
  if (!timeAfterDay.test(american?.[4] ?? iso?.[2] ?? "")) return undefined;
  const day = american
    ? `${american[3]}-${american[1]?.padStart(2, "0")}-${american[2]?.padStart(2, "0")}`
    : (iso?.[1] ?? text);
  return z.iso.date().safeParse(day).success ? day : undefined;
}

/**
 * Parses an instant as license registers write it. A day without a time becomes the beginning of the day in UTC.
 *
 * @returns ISO 8601 UTC with milliseconds, so that instants sort as text; undefined if the text is neither an instant
 * nor a day
 */
export function parseRegisterInstant(text: string): string | undefined {
  const day = parseRegisterDate(text);
  if (day === undefined) return undefined;
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text).toISOString();
  return text.length <= 10 ? `${day}T00:00:00.000Z` : undefined;
}
