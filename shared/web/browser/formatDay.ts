const format = (date: string, options: Intl.DateTimeFormatOptions): string => {
  const isDay = date.length === "yyyy-MM-dd".length;
  return new Date(date).toLocaleDateString(undefined, { ...options, ...(isDay && { timeZone: "UTC" }) });
};

/**
 * Formats a day in the visitor's locale.
 *
 * @param date an instant (ISO 8601), shown in the visitor's time zone, or a day (yyyy-MM-dd), which is the same in all
 *   time zones
 */
export const formatDay = (date: string, dateStyle: "long" | "medium" = "long"): string => format(date, { dateStyle });

/** The same as a short day, such as `Nov 28`; with the year if it is not the present one. */
export const formatShortDay = (date: string): string =>
  format(date, {
    ...{ month: "short", day: "numeric" },
    year: Number(date.slice(0, 4)) === new Date().getFullYear() ? undefined : "numeric",
  });
