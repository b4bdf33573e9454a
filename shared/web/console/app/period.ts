const isoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** The first and the last day (yyyy-MM-dd) of the month before a time, in the visitor's time zone. */
export const lastMonth = (now: Date) => ({
  start_date: isoDay(new Date(now.getFullYear(), now.getMonth() - 1, 1)),
  end_date: isoDay(new Date(now.getFullYear(), now.getMonth(), 0)),
});

/** Days of a statement at most (docs/spec.md#limits). */
const maxDays = 400;

/** The problem of the days of a statement, in words; undefined if there is none. */
export function problemOfDays(first: string, last: string): string | undefined {
  const [start, end] = [Date.parse(`${first}T00:00Z`), Date.parse(`${last}T00:00Z`)];
  if (Number.isNaN(start) || Number.isNaN(end)) return "Choose the first and the last day.";
  if (end < start) return "The last day is before the first.";
  if ((end - start) / 86_400_000 >= maxDays) return `Choose at most ${maxDays} days.`;
  return undefined;
}
