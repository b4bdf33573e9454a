/**
 * Formats a day in the visitor's locale.
 *
 * @param date ISO 8601
 */
export const formatDay = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: "long" });
