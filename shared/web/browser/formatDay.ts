/**
 * Formats a day in the visitor's locale.
 *
 * @param date an instant (ISO 8601), shown in the visitor's time zone, or a day (yyyy-MM-dd), which is the same in all
 *   time zones
 */
export function formatDay(date: string, dateStyle: "long" | "medium" = "long"): string {
  const isDay = date.length === "yyyy-MM-dd".length;
  return new Date(date).toLocaleDateString(undefined, { dateStyle, ...(isDay && { timeZone: "UTC" }) });
}

/** Formats an instant (ISO 8601) as a short day in the visitor's locale and time zone, such as `Nov 28`. */
export function formatShortDay(date: string): string {
  const isThisYear = new Date(date).getFullYear() === new Date().getFullYear();
  const year = isThisYear ? undefined : "numeric";
  return new Date(date).toLocaleDateString(undefined, { month: "short", day: "numeric", year });
}
