/** Orders of the parts of a date. A time after the date is ignored. */
const orders = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ].*)?$/,
  /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4}|\d{2})(?: .*)?$/,
  /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})(?: .*)?$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
];

/**
 * Reads a date of a core banking system. Where the year is last, the month is first, as is usual in the United States.
 *
 * @param now epoch milliseconds
 * @returns the day as yyyy-MM-dd, or a problem in words
 */
export function parseDay(text: string, now: number): { day: string } | { problem: string } {
  const found = orders.map((order) => order.exec(text.trim())?.groups).find(Boolean);
  if (!found) return { problem: "This is no date such as 2026-11-26 or 11/26/2026." };
  const { year = "", month = "", day = "" } = found;
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (Number(month) < 1 || Number(month) > 12)
    return { problem: `There is no month ${month}: the date was read as month ${month}, day ${day}, ${year}.` };
  // Days that a month does not have become days of the next month.
  const real = new Date(`${date}T00:00Z`);
  if (Number.isNaN(real.getTime()) || real.toISOString().slice(0, 10) !== date)
    return { problem: `The month ${month} of ${date.slice(0, 4)} has no day ${day}.` };
  if (date < "2000-01-01") return { problem: "The day is before the year 2000." };
  if (date > new Date(now + 86_400_000).toISOString().slice(0, 10)) return { problem: "The day is in the future." };
  return { day: date };
}
