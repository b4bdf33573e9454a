import { formatDay } from "../../browser/formatDay.ts";
import { inDollars } from "./money.ts";
import type { Output } from "./operations.ts";
import { counted } from "./queue.ts";

type Unit = Output<"listInsights">["data"][number]["unit"];

/** A figure of an insight with its unit. A unit that a newer service added is shown as it is. */
export function measureIn(value: number, unit: Unit): string {
  if (unit === "cents") return inDollars(value);
  if (unit === "percent") return `${value.toLocaleString()}%`;
  return unit === "sales" || unit === "days" || unit === "licenses"
    ? counted(value, unit.slice(0, -1), unit)
    : `${value.toLocaleString()} ${unit}`;
}

/** A period of whole days (yyyy-MM-dd), or the day if it is one. */
export const periodOf = (start: string, end: string): string =>
  start === end ? formatDay(start, "medium") : `${formatDay(start, "medium")} to ${formatDay(end, "medium")}`;
