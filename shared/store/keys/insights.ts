import type { InsightStatus } from "../../api/enumerations.ts";
import type { Key } from "./key.ts";

/** The insights of a CRB, and the summary of its days. */
export const insightsPartition = (crbId: string): string => `CRB#${crbId}#INSIGHT`;

/**
 * An insight of a CRB.
 *
 * @param since the first day that it is about, yyyy-MM-dd: the id follows from it, so an insight never gets another key. A range of
 *   keys has those of a window; null if it is about no day
 */
export function insightKey(crbId: string, since: string | null, insightId: string): Key {
  return { pk: insightsPartition(crbId), sk: `${since ?? noDay}#${insightId}` };
}

/** Sorted after every day, so that each window reads the insights that are about no day. */
const noDay = "9999-12-31";

/** An insight at a place of its list. */
export function listedPlace(crbId: string, at: string): Key {
  return { pk: insightsPartition(crbId), sk: at };
}

/** The statuses in the order in which insights are listed. */
const statusOrder: readonly InsightStatus[] = ["open", "escalated", "explained", "dismissed", "withdrawn"];

/** The beginning of the ranks of insights with a status. */
export const statusRank = (status: InsightStatus): string => `${statusOrder.indexOf(status)}#`;

/**
 * The place of an insight in its lists.
 *
 * @param gravity 0 for the gravest
 * @param start first day, yyyy-MM-dd
 */
export function insightRank(status: InsightStatus, gravity: number, start: string, insightId: string): string {
  return `${statusRank(status)}${String(gravity).padStart(2, "0")}#${start}#${insightId}`;
}

/** What insights keep of the sales of each day. The key is sorted after all insights. */
export function insightSummaryKey(crbId: string): Key {
  return { pk: insightsPartition(crbId), sk: "SUMMARY" };
}

/** The list of a service provider's insights, its settings and the totals by which it compares its CRBs. */
export const providerInsightsPartition = (spId: string): string => `SERVICE_PROVIDER#${spId}#INSIGHT`;

/** The entries of insights in the list of their service provider begin with this. */
export const listedInsightPrefix = "INSIGHT#";

/** An insight in the list of its service provider: leads to the insight. */
export function listedInsightKey(spId: string, insightId: string): Key {
  return { pk: providerInsightsPartition(spId), sk: `${listedInsightPrefix}${insightId}` };
}

/** The settings of a service provider. */
export function insightSettingsKey(spId: string): Key {
  return { pk: providerInsightsPartition(spId), sk: "SETTINGS" };
}

/** The totals of a month of a service provider's CRBs of one state and type begin with this. */
export const monthTotalPrefix = (month: string, state: string, type: string): string =>
  `MONTH#${month}#${state}#${type}#`;

/** The total of a CRB in a month, yyyy-MM. */
export function monthTotalKey(spId: string, group: { month: string; state: string; type: string }, crbId: string): Key {
  return {
    pk: providerInsightsPartition(spId),
    sk: `${monthTotalPrefix(group.month, group.state, group.type)}${crbId}`,
  };
}

/** The CRBs whose insights must be computed. */
export const insightsDuePartition = "INSIGHTS_DUE";

export function insightsDueKey(crbId: string): Key {
  return { pk: insightsDuePartition, sk: crbId };
}
