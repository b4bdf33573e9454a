import type { InsightStatus } from "../../api/enumerations.ts";
import { type Key, key, ofCrb, ofProvider } from "./key.ts";

/** The insights of a CRB, and the summary of its days. */
export const insightsPartition = (crbId: string): string => ofCrb(crbId, "INSIGHT");

export const listedPlace = (crbId: string, at: string): Key => key(insightsPartition(crbId), at);

/** Sorted after every day, so that each window reads the insights that are about no day. */
const noDay = "9999-12-31";

/** An insight of a CRB. @param since the first day that it is about, which never changes; null if it is about no day */
export const insightKey = (crbId: string, since: string | null, insightId: string): Key =>
  key(insightsPartition(crbId), since ?? noDay, insightId);

/** What insights keep of the sales of each day. The key is sorted after all insights. */
export const insightSummaryKey = (crbId: string): Key => listedPlace(crbId, "SUMMARY");

/** The statuses in the order in which insights are listed. */
const statusOrder: readonly InsightStatus[] = ["open", "escalated", "explained", "dismissed", "withdrawn"];

/** The beginning of the ranks of insights with a status. */
export const statusRank = (status: InsightStatus): string => `${statusOrder.indexOf(status)}#`;

/** The place of an insight in its lists. @param gravity 0 for the gravest @param start first day */
export const insightRank = (status: InsightStatus, gravity: number, start: string, insightId: string): string =>
  `${statusRank(status)}${String(gravity).padStart(2, "0")}#${start}#${insightId}`;

/** The list of a service provider's insights, its settings and the totals by which it compares its CRBs. */
export const providerInsightsPartition = (spId: string): string => ofProvider(spId, "INSIGHT");

/** The entries of insights in the list of their service provider begin with this. */
export const listedInsightPrefix = "INSIGHT#";

/** An insight in the list of its service provider: leads to the insight. */
export const listedInsightKey = (spId: string, insightId: string): Key =>
  key(providerInsightsPartition(spId), `${listedInsightPrefix}${insightId}`);

export const insightSettingsKey = (spId: string): Key => key(providerInsightsPartition(spId), "SETTINGS");

/** The totals of a month of a service provider's CRBs of one state and type begin with this. */
export const monthTotalPrefix = ({ month, state, type }: Record<"month" | "state" | "type", string>): string =>
  `MONTH#${month}#${state}#${type}#`;

export const monthTotalKey = (spId: string, group: Record<"month" | "state" | "type", string>, crbId: string): Key =>
  key(providerInsightsPartition(spId), `${monthTotalPrefix(group)}${crbId}`);

/** The CRBs whose insights must be computed. */
export const insightsDuePartition = "INSIGHTS_DUE";

export const insightsDueKey = (crbId: string): Key => key(insightsDuePartition, crbId);
