import type * as z from "zod";
import type { crbInsightsQuery, insightsQuery } from "../../api/insightParameters.ts";
import type { crbInsightPage, Insight } from "../../api/schemas/insight.ts";
import { type InsightCode, insightCodes } from "../../insights/insightCodes.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import {
  insightSummaryKey,
  insightsPartition,
  listedPlace,
  providerInsightsPartition,
  statusRank,
} from "../../store/keys/insights.ts";
import { type CursorPage, cursorPage, placeOfCursor } from "../../store/pageCursor.ts";
import { addDays } from "../../time/addDays.ts";
import { toDaySummary } from "./daySummary.ts";
import { toStoredInsight } from "./storedInsight.ts";

type Query = z.output<typeof crbInsightsQuery>;

/** A page of the insights of a CRB, by status, then the gravest and the oldest first. */
export async function listCrbInsights(table: Table, crbId: string, query: Query): Promise<CursorPage<Insight>> {
  const { records, ...page } = await readPlaces(table, insightsPartition(crbId), query);
  return { ...page, records: records.map((item) => toStoredInsight(item).insight) };
}

/** The judged days of a CRB, and the sales that could not be checked. */
export type Judged = Pick<z.output<typeof crbInsightPage>, "judged_since" | "sale_checks">;

/** Reads the judged days of a CRB. Takes about a read unit. */
export async function readJudged(table: Table, crbId: string): Promise<Judged> {
  const item = await table.get(insightSummaryKey(crbId));
  if (!item) return { judged_since: null, sale_checks: null };
  const { since, days } = toDaySummary(item);
  const end_date = [...days.keys()].sort().at(-1);
  if (end_date === undefined) return { judged_since: since, sale_checks: null };
  const start_date = addDays(end_date, 1 - checkedDays);
  const checks = [...days].flatMap(([day, { profile }]) => (day >= start_date ? [profile.checks] : []));
  const reasons = new Map<string, number>();
  for (const [reason, sales] of checks.flatMap(({ unchecked }) => Object.entries(unchecked))) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + sales);
  }
  return {
    judged_since: since,
    sale_checks: {
      ...{ start_date, end_date },
      sales: checks.reduce((sum, { retail }) => sum + retail, 0),
      unchecked: [...reasons.values()].reduce((sum, sales) => sum + sales, 0),
      reasons: [...reasons]
        .map(([reason, sales]) => ({ reason, sales }))
        .sort((one, other) => other.sales - one.sales || (one.reason < other.reason ? -1 : 1)),
    },
  };
}

/** Days whose unchecked sales are counted. */
const checkedDays = 28;

/**
 * A page of the insights of a service provider, in the same order.
 *
 * @param query.crb_id only those of this CRB; none if it is not associated
 */
export async function listInsights(
  table: Table,
  spId: string,
  { crb_id: crbId, ...query }: z.output<typeof insightsQuery>,
): Promise<CursorPage<Insight>> {
  if (crbId !== undefined) {
    const isAssociated = await table.get(associationKey(spId, crbId), { consistent: true });
    return isAssociated
      ? listCrbInsights(table, crbId, query)
      : cursorPage<Insight>(insightsPartition(crbId), [], query, () => "");
  }
  const { records: listed, ...page } = await readPlaces(table, providerInsightsPartition(spId), query);
  return { ...page, records: await readListed(table, listed) };
}

/** An open insight, as far as its place in the list says. */
export interface OpenInsight {
  crbId: string;
  id: string;
  code: InsightCode;
  /** the first day that it is about, yyyy-MM-dd */
  since: string;
}

/** Reads the places of all open insights of a service provider, the gravest and the oldest first. About 7,000 take one MB. */
export async function readOpenInsights(table: Table, spId: string): Promise<OpenInsight[]> {
  const prefix = statusRank("open");
  const items = await table.queryPartition(providerInsightsPartition(spId), { index: "byRank", prefix });
  return items.map(({ crb_id, rank }) => ({ crbId: crb_id as string, ...parseInsightRank(rank as string) }));
}

function parseInsightRank(rank: string): Omit<OpenInsight, "crbId"> {
  const [, gravity, since = "", id = ""] = rank.split("#");
  return { code: insightCodes[Number(gravity)] as InsightCode, since, id };
}

/** Reads the insights of a page, in its order. */
async function readListed(table: Table, listed: readonly Item[]): Promise<Insight[]> {
  const stored = await table.batchGet(listed.map(({ crb_id, at }) => listedPlace(crb_id as string, at as string)));
  return listed.flatMap(({ crb_id, at }) => {
    const item = stored.get(itemId(listedPlace(crb_id as string, at as string)));
    return item ? [toStoredInsight(item).insight] : [];
  });
}

/** Reads the items of a page by their ranks. */
async function readPlaces(table: Table, list: string, query: Query): Promise<CursorPage<Item>> {
  const begin = query.status ? statusRank(query.status) : "";
  const after = placeOfCursor(list, query.cursor);
  // A cursor may come from a request with another status. Ranks begin with a digit, and have no character after "~".
  const [from, to] = [[after ? `${after}!` : "", begin || "0"].sort()[1] as string, `${begin}~`];
  if (from > to) return cursorPage<Item>(list, [], query, () => "");
  const items = await table.queryPartition(list, { index: "byRank", from, to, limit: query.limit + 1 });
  return cursorPage(list, items, query, ({ rank }) => rank as string);
}
