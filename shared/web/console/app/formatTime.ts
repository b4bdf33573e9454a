/** Formats an instant (ISO 8601 or epoch milliseconds) with the visitor's time zone: `Nov 27, 2026, 8:52 AM MST`. */
export const formatTime = (at: string | number): string =>
  new Date(at).toLocaleString(undefined, {
    ...{ year: "numeric", month: "short", day: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short" },
  });

/** The age of an instant (ISO 8601), such as `2 minutes ago`. */
export function formatAge(date: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(date)) / 60_000));
  if (minutes === 0) return "just now";
  const [value, unit]: [number, Intl.RelativeTimeFormatUnit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 2_880
        ? [Math.round(minutes / 60), "hour"]
        : [Math.round(minutes / 1_440), "day"];
  return new Intl.RelativeTimeFormat(undefined).format(-value, unit);
}

/** The time until a day (yyyy-MM-dd), such as `in 21 days`. */
export function daysUntil(day: string): string {
  const today = new Date().setHours(0, 0, 0, 0);
  const days = Math.round((new Date(`${day}T00:00`).getTime() - today) / 86_400_000);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(days, "day");
}
