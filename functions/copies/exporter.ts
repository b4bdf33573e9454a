import { measure, publishMetrics } from "../../shared/domain/copies/copyMetrics.ts";
import { exportChanges } from "../../shared/domain/copies/exportChanges.ts";
import { serviceExports } from "../../shared/domain/copies/serviceExports.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { isTrial } from "../../shared/platform/aws/trialEvent.ts";

/**
 * Runs on a schedule, in stages with a recovery region. Exports the table's changes to that region, and reports how old
 * the exported state is. Nothing is reported before the first export is complete, and a missing report raises the alarm.
 */
export async function handler(event?: unknown): Promise<void> {
  if (isTrial(event)) return;
  const now = new Date();
  try {
    const { requested, completeUntil, failures } = await exportChanges(serviceExports(), now);
    if (completeUntil) measure("age", (now.getTime() - completeUntil.getTime()) / 1_000);
    log.info("changes exported", { requested, complete_until: completeUntil });
    if (failures.length > 0)
      throw new Error(`DynamoDB rejected the export of ${failures.length} hours: ${failures[0]}`);
  } finally {
    publishMetrics();
  }
}
