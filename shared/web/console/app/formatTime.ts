/** Formats an instant (epoch milliseconds) with the visitor's time zone, such as `Nov 27, 2026, 8:52 AM MST`. */
export const formatTime = (at: number): string =>
  new Date(at).toLocaleString(undefined, {
    ...{ year: "numeric", month: "short", day: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short" },
  });
