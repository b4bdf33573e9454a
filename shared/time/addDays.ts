const msPerDay = 24 * 60 * 60_000;

/** The calendar day that is a number of days after a day, both yyyy-MM-dd. A negative number gives an earlier day. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * msPerDay).toISOString().slice(0, 10);
}
