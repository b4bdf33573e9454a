import type * as z from "zod";
import type { crbInsightsQuery, insightsQuery } from "../../api/insightParameters.ts";
import type { Insight } from "../../api/schemas/insight.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { insightsPartition, listedPlace, providerInsightsPartition, statusRank } from "../../store/keys/insights.ts";
import { type CursorPage, cursorPage, placeOfCursor } from "../../store/pageCursor.ts";
import { toStoredInsight } from "./storedInsight.ts";

type Query = z.output<typeof crbInsightsQuery>;

/** A page of the insights of a CRB, by status, then the gravest and the oldest first. */
export async function listCrbInsights(table: Table, crbId: string, query: Query): Promise<CursorPage<Insight>> {
  const { records, ...page } = await readPlaces(table, insightsPartition(crbId), query);
  return { ...page, records: records.map((item) => toStoredInsight(item).insight) };
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
