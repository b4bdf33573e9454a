import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { accessReportsDuePartition, parseAccessReportDueKey } from "../../store/keys/accessReports.ts";
import { lastKeyOf } from "../../store/keys/key.ts";
import { isPast } from "../../time/deadline.ts";
import { requestReportRun } from "./reportMessage.ts";
import { readReport } from "./storedReport.ts";

/** Milliseconds for which the first message of a report may wait in the queue. */
const maxQueuedMs = 2 * 60_000;

/**
 * Queues access reports again whose message was lost, or whose worker was killed or failed. An error does not stop the
 * other reports.
 *
 * @param deadline after this time, the sweep begins no further report
 * @returns the numbers of reports that were queued again, and whose sweep failed
 */
export async function sweepAccessReports(table: Table, deadline?: Date): Promise<{ queued: number; failed: number }> {
  const now = table.clock.now().getTime();
  const last = lastKeyOf(new Date(now - maxQueuedMs).toISOString());
  const due = await table.queryPartition(accessReportsDuePartition, { to: last });
  const swept = { queued: 0, failed: 0 };
  for (const { pk, sk } of due) {
    if (isPast(table.clock, deadline)) break;
    const { spId, reportId } = parseAccessReportDueKey(sk);
    try {
      const stored = await readReport(table, spId, reportId);
      if (stored?.status !== "queued") await table.delete({ pk, sk });
      else if (stored.held_until <= now) {
        await requestReportRun(stored);
        swept.queued++;
      }
    } catch (error) {
      swept.failed++;
      log.error("access report not swept", { sp_id: spId, report_id: reportId, error: describeError(error) });
    }
  }
  return swept;
}
