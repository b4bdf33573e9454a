import type { InsightSettings } from "../../insights/insightCodes.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { insightsDueKey, insightsDuePartition } from "../../store/keys/insights.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { computeInsights } from "./computeInsights.ts";

/** What a sweep did. */
export interface InsightSweep {
  /** the CRBs whose insights were computed */
  crbs: number;
  raised: number;
  withdrawn: number;
  /** the CRBs whose computation failed. The next sweep tries them again */
  failures: number;
}

/**
 * Computes the insights of all CRBs that have new complete days. A CRB stays due until its computation has ended. So a sweep can
 * be interrupted, and two can run at once.
 *
 * @throws ServiceError "unavailable" if the table cannot be reached
 */
export async function sweepInsights(
  table: Table,
  { clock = systemClock, deadline }: { clock?: Clock; deadline?: Date } = {},
): Promise<InsightSweep> {
  const result: InsightSweep = { crbs: 0, raised: 0, withdrawn: 0, failures: 0 };
  const due = await table.queryPartition(insightsDuePartition, { consistent: true });
  // A change of the settings applies from the next computation on, so one reading serves a sweep.
  const settings = new Map<string, InsightSettings>();
  for (const { sk: crbId, at } of due) {
    if (deadline && clock.now() >= deadline) return result;
    try {
      // The lists of a restored CRB may still be wrong.
      if (await isRestoring(table, crbId)) continue;
      const computed = await computeInsights(table, crbId, { clock, settings, ...(deadline && { deadline }) });
      await tryConditionalWrite(table.delete(insightsDueKey(crbId), unchanged("at", at)));
      result.crbs++;
      result.raised += computed?.raised ?? 0;
      result.withdrawn += computed?.withdrawn ?? 0;
    } catch (error) {
      if (error instanceof OutOfTimeError) return result;
      result.failures++;
      log.warn("insights not computed; the next sweep computes them", { crb_id: crbId, error: describeError(error) });
    }
  }
  return result;
}
