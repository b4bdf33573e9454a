import { log } from "../../platform/aws/log.ts";
import { loggedCount } from "../../platform/aws/metricSeries.ts";

/** The metric of exports and statements that could not be made, for the alarm. */
export const failedExportsMetric = "ExportsFailed";

/** Reports an export or a statement that could not be made (docs/operations/alarms.md#exports-failed). */
export function reportFailedExport(
  names: { crb_id: string; export_id: string } | { crb_id: string; statement_id: string },
  error: string,
): void {
  log.error("export or statement not made", { ...names, error, ...loggedCount(failedExportsMetric) });
}
