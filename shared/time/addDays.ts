const msPerDay = 24 * 60 * 60_000;

/** The first and the last day that `yyyy-MM-dd` can express, epoch milliseconds. */
const [first, last] = ["0000-01-01", "9999-12-31"].map((day) => Date.parse(day)) as [number, number];

/**
 * The calendar day that is a number of days after a day, both yyyy-MM-dd. A negative number gives an earlier day. The calendar
 * begins with 0000-01-01 and ends with 9999-12-31: a day outside it would have another form, which does not sort as text.
 */
export function addDays(day: string, days: number): string {
  const instant = Date.parse(`${day}T00:00:00.000Z`) + days * msPerDay;
  return new Date(Math.min(Math.max(instant, first), last)).toISOString().slice(0, 10);
}
