import type { Table } from "../../store/client.ts";
import { insightsDueKey, insightsPartition, listedInsightKey, monthTotalKey } from "../../store/keys/insights.ts";
import { type PeerGroup, peerMonths } from "./peers.ts";
import { toStoredInsight } from "./storedInsight.ts";

/**
 * Takes the insights of a CRB off the list of its service provider, after the end of the association. They stay stored until a
 * purge.
 */
export async function unlistInsights(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  now: Date,
): Promise<void> {
  const items = await table.queryPartition(insightsPartition(crbId), { consistent: true });
  const groups = items.flatMap(({ group }) => (group ? [group as PeerGroup] : []));
  await table.batchDelete([
    insightsDueKey(crbId),
    ...items.flatMap((item) => (item.insight ? [listedInsightKey(spId, toStoredInsight(item).insight.id)] : [])),
    ...groups.flatMap((group) => peerMonths(now).map((month) => monthTotalKey(spId, { ...group, month }, crbId))),
  ]);
}
