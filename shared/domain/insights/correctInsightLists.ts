import { type Item, itemId, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import {
  insightsPartition,
  listedInsightPrefix,
  listedPlace,
  providerInsightsPartition,
} from "../../store/keys/insights.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { systemClock } from "../../time/clock.ts";
import { insightWrites, listedItem, toStoredInsight } from "./storedInsight.ts";

/** The number of compared insights or entries, and of the differences. */
interface InsightListReport {
  size: number;
  entries: number;
}

/**
 * Compares a CRB's insights with their ranks and with the list of its service provider, and corrects both unless `isCheck` is set.
 * They can differ in a restored table.
 *
 * @param isAssociated whether the association stands; otherwise the list must have none of them
 */
export async function correctInsightsOfCrb(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  { isAssociated, isCheck }: { isAssociated: boolean; isCheck: boolean },
): Promise<InsightListReport> {
  const items = await table.queryPartition(insightsPartition(crbId), { consistent: true });
  const insights = items.filter(({ insight }) => insight !== undefined);
  const expected = insights.map((item) => listedItem(spId, toStoredInsight(item)));
  const entries = await table.batchGet(expected, { consistent: true });
  const isRight = (item: Item, listed: Item) => {
    const entry = entries.get(itemId(listed));
    if (!isAssociated) return entry === undefined;
    return item.rank === listed.rank && ["rank", "crb_id", "at"].every((name) => entry?.[name] === listed[name]);
  };
  const wrong = insights.filter((item, i) => !isRight(item, expected[i] as Item));
  if (!isCheck) for (const item of wrong) await correct(table, spId, item, isAssociated);
  return { size: insights.length, entries: wrong.length };
}

/** Corrects one insight as it is stored now, because a computation or a decision may have changed it. */
async function correct(table: Table, spId: string, { pk, sk }: Item, isAssociated: boolean): Promise<void> {
  await retryOnConflict(systemClock, async () => {
    const item = await table.get({ pk, sk }, { consistent: true });
    if (!item) return;
    const stored = toStoredInsight(item);
    if (isAssociated) await table.transact(insightWrites(table, spId, stored, stored.insight.revision));
    else await table.batchDelete([listedItem(spId, stored)]);
  });
}

/**
 * Takes the entries that lead to no insight, or to one of a CRB whose association has ended, off the list of a service provider,
 * unless `isCheck` is set.
 */
export async function correctInsightList(table: Table, spId: string, isCheck: boolean): Promise<InsightListReport> {
  const entries = await table.queryPartition(providerInsightsPartition(spId), {
    prefix: listedInsightPrefix,
    consistent: true,
  });
  const placeOf = ({ crb_id, at }: Item) => listedPlace(crb_id as string, at as string);
  const places = await table.batchGet(entries.map(placeOf), { consistent: true, attributes: [] });
  const crbIds = [...new Set(entries.map(({ crb_id }) => crb_id as string))];
  const associations = await table.batchGet(
    crbIds.map((id) => associationKey(spId, id)),
    { consistent: true, attributes: [] },
  );
  const stray = entries.filter((entry) => {
    const isAssociated = associations.has(itemId(associationKey(spId, entry.crb_id as string)));
    return !isAssociated || !places.has(itemId(placeOf(entry)));
  });
  if (!isCheck) await table.batchDelete(stray.map(({ pk, sk }) => ({ pk, sk })));
  return { size: entries.length, entries: stray.length };
}
