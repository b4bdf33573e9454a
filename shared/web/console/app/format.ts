import { formatShortDay } from "../../browser/formatDay.ts";
import type { Output } from "./operations.ts";

/** Formats cents as dollars. @param digits digits after the point: 0 for whole dollars */
export const dollars = (cents: number, digits: 0 | 2 = 2): string =>
  (cents / 100)
    .toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replace("-", "−");

/** The same with the currency's sign. */
export const inDollars = (cents: number, digits: 0 | 2 = 2): string =>
  cents < 0 ? `−$${dollars(-cents, digits)}` : `$${dollars(cents, digits)}`;

/** A range of cents in words; one value if both are equal. @param high undefined if it is not known */
export const rangeInDollars = (low: number, high: number | undefined, digits: 0 | 2 = 2): string => {
  if (high === undefined) return `at least ${inDollars(low, digits)}`;
  return low === high ? inDollars(low, digits) : `${inDollars(low, digits)} to ${inDollars(high, digits)}`;
};

/** A number with its noun, such as `1 day` or `9 days`. */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`;

/** A part of a whole, such as `12.5%`. */
export const shareOf = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;

type Insight = Output<"listInsights">["data"][number];

/** A figure of an insight with its unit. A unit that a newer service added is shown as it is. */
export function measureIn(value: number, unit: Insight["unit"]): string {
  if (unit === "cents") return inDollars(value);
  if (unit === "percent") return `${value.toLocaleString()}%`;
  return unit === "sales" || unit === "days" || unit === "licenses"
    ? counted(value, unit.slice(0, -1))
    : `${value.toLocaleString()} ${unit}`;
}

/** The sentence of an insight; for sales that break rules, the receipt and the names of the rules. */
export function titleOf({ code, sentence, measured, end_date, inputs: { sales } }: Insight): string {
  const rules = new Set(sales.flatMap((sale) => sale.rules.map(({ name }) => name)));
  if (code !== "flagged_sale" || rules.size === 0) return withDays(sentence);
  const known = sales.length < measured ? `, ${sales.length} of them` : "";
  const [first] = sales;
  const what =
    measured === 1 ? `Sale ${first?.pos_sale_id ?? first?.id} breaks a rule` : `${measured} sales break rules${known}`;
  return `${what}: ${[...rules].join(", ").toLowerCase()}, ${formatShortDay(end_date)}`;
}

/** A period of whole days (yyyy-MM-dd), or the day if it is one. */
export const periodOf = (start: string, end: string): string =>
  start === end ? formatShortDay(start) : `${formatShortDay(start)} to ${formatShortDay(end)}`;

/** A sentence of the API with its dates (yyyy-MM-dd) as everywhere on the page. */
export const withDays = (sentence: string): string => sentence.replaceAll(/\d{4}-\d\d-\d\d/g, formatShortDay);

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

/** How long something waits since an instant (ISO 8601), in full days. */
export function waitSince(date: string, now = Date.now()): string {
  const days = Math.floor((now - Date.parse(date)) / 86_400_000);
  return days < 1 ? "less than a day" : counted(days, "day");
}

/** The time until a day (yyyy-MM-dd), such as `in 21 days`. */
export function daysUntil(day: string): string {
  const today = new Date().setHours(0, 0, 0, 0);
  const days = Math.round((new Date(`${day}T00:00`).getTime() - today) / 86_400_000);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(days, "day");
}

/** The day (yyyy-MM-dd) of a time in a time zone, by default the visitor's. */
export const isoDay = (date: Date, timeZone?: string): string => date.toLocaleDateString("sv", { timeZone });

/** The first and the last day (yyyy-MM-dd) of the month before a time, in the visitor's time zone. */
export const lastMonth = (now: Date): [first: string, last: string] => [
  isoDay(new Date(now.getFullYear(), now.getMonth() - 1, 1)),
  isoDay(new Date(now.getFullYear(), now.getMonth(), 0)),
];

/** The day (yyyy-MM-dd) that is a number of days after another one; before it, if the number is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
