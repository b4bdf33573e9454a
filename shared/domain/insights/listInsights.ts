import type * as z from "zod";
import type { crbInsightsQuery, insightsQuery } from "../../api/insightParameters.ts";
import type { Insight } from "../../api/schemas/insight.ts";
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
import { toStoredInsight } from "./storedInsight.ts";

type Query = z.output<typeof crbInsightsQuery>;

/** A page of the insights of a CRB, by status, then the gravest and the oldest first. */
export async function listCrbInsights(table: Table, crbId: string, query: Query): Promise<CursorPage<Insight>> {
  const { records, ...page } = await readPlaces(table, insightsPartition(crbId), query);
  return { ...page, records: records.map((item) => toStoredInsight(item).insight) };
}

/** The first day that was ever judged for a CRB, yyyy-MM-dd; null before the first computation. Takes about a read unit. */
export async function readJudgedSince(table: Table, crbId: string): Promise<string | null> {
  const summary = await table.get(insightSummaryKey(crbId));
  return (summary?.since as string | undefined) ?? null;
}

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
  const rank = statusRank("open");
  const items = await table.query({
    IndexName: "byRank",
    KeyConditionExpression: "pk = :pk AND begins_with(#rank, :rank)",
    ExpressionAttributeNames: { "#rank": "rank" },
    ExpressionAttributeValues: { ":pk": providerInsightsPartition(spId), ":rank": rank },
  });
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
  const items = await table.query({
    IndexName: "byRank",
    KeyConditionExpression: "pk = :pk AND #rank BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#rank": "rank" },
    ExpressionAttributeValues: { ":pk": list, ":from": from, ":to": to },
    Limit: query.limit + 1,
  });
  return cursorPage(list, items, query, ({ rank }) => rank as string);
}
