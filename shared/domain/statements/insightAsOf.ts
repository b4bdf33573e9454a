import type { Insight } from "../../api/schemas/insight.ts";

/** The part of an insight that a statement shows. */
export type AgedInsight = Omit<Insight, "crb_id" | "revision" | "latest">;

/**
 * An insight as it was at an instant, as far as it is stored: later decisions, a later withdrawal, and the latest figures of a
 * state that lasts are left out. Its figures are those of its last change.
 *
 * @param asOf ISO 8601 UTC
 * @returns undefined if it was raised later for the first time
 */
export function insightAsOf(insight: Insight, asOf: string): AgedInsight | undefined {
  const { crb_id: _crbId, revision: _revision, latest: _latest, ...rest } = insight;
  const wasRaisedLater = insight.raised_date > asOf;
  if (wasRaisedLater && insight.occurrence === 1) return undefined;
  const history = insight.history.filter(({ date }) => date <= asOf);
  const wasWithdrawn = insight.withdrawn_date !== null && insight.withdrawn_date <= asOf;
  if (wasWithdrawn) return { ...rest, history };
  // An insight that was raised again later was withdrawn at that time, and when that was is not stored any more.
  if (wasRaisedLater) return { ...rest, occurrence: insight.occurrence - 1, status: "withdrawn", history };
  const decided = history.findLast(({ occurrence }) => occurrence === insight.occurrence);
  return { ...rest, status: decided?.status ?? "open", withdrawn_date: null, history };
}
