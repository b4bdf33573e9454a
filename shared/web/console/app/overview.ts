import { matterCodes } from "../../../insights/insightCodes.ts";
import type { Output } from "./operations.ts";

// The rows of the overview: their matters, their order, and when they were right.

type Business = Output<"getOverview">["data"][number];
type Matter = Business["matters"][number];

const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const gravityOf = (matter: Matter | undefined): number =>
  matter ? (matterCodes as readonly string[]).indexOf(matter.code) : matterCodes.length;

/** The gravest matter first, of equal ones the oldest. */
const byGravity = (one: Matter | undefined, other: Matter | undefined): number =>
  gravityOf(one) - gravityOf(other) || compareTexts(one?.since ?? "", other?.since ?? "");

/** A matter of a business. */
export interface Line extends Matter {
  business: Business;
}

/** The matters of all businesses, the gravest and oldest first. */
export const linesOf = (rows: readonly Business[]): Line[] =>
  rows.flatMap((business) => business.matters.map((matter): Line => ({ ...matter, business }))).sort(byGravity);

/** The last finished day. */
export const lastDay = ({ sales_days }: Business) => sales_days.find(({ complete }) => complete);

/** Statuses of licenses that are not valid, the gravest first. */
const lapsed = ["inactive", "expired", "missing"];

/** Orders businesses by lapsed licenses, then by the next expiry; those without one are the last. */
function lapseOf({ license }: Business): string {
  const rank = lapsed.indexOf(license?.status ?? "");
  return `${rank < 0 ? lapsed.length : rank} ${license?.next_expiry ?? "none"}`;
}

export const orders: Readonly<Record<string, (one: Business, other: Business) => number>> = {
  "Needs you first": (one, other) => byGravity(one.matters[0], other.matters[0]),
  Name: (one, other) => one.name.localeCompare(other.name),
  Sales: (one, other) => (lastDay(other)?.total_paid ?? -1) - (lastDay(one)?.total_paid ?? -1),
  "Oldest data": (one, other) => compareTexts(one.data?.data_as_of ?? "", other.data?.data_as_of ?? ""),
  "License expiry": (one, other) => compareTexts(lapseOf(one), lapseOf(other)),
};

/** What a person chose at the portfolio. */
export const firstChoice = { find: "", state: "", order: "Needs you first" };

/** The chosen businesses in the chosen order. */
export function chooseBusinesses(
  rows: readonly Business[],
  { find, state, order }: typeof firstChoice,
): readonly Business[] {
  const words = find.trim().toLowerCase();
  return rows
    .filter((row) => `${row.name} ${row.dba ?? ""}`.toLowerCase().includes(words))
    .filter((row) => state === "" || row.state === state)
    .sort(orders[order]);
}

/** Figures are computed every 15 minutes; older ones than this were not computed when they should have been. */
const maxAgeMs = 30 * 60_000;

/** Whether the figures of a business are old. */
export const isOld = ({ as_of }: Pick<Business, "as_of">, now = Date.now()): boolean =>
  as_of !== null && now - Date.parse(as_of) > maxAgeMs;

/** The time at which the figures of all businesses were right; undefined before the first computation. */
export const oldestTime = (rows: readonly Business[]): string | undefined =>
  rows.flatMap(({ as_of }) => as_of ?? []).sort()[0];
