import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { mapInGroups } from "../../store/groups.ts";
import { reconciledCrbPartition } from "../../store/keys/deposits.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { announceReconciliation } from "./announceReconciliation.ts";

/** CRBs that are compared at the same time. */
const atOnce = 8;

/**
 * Reports the reconciliation days of all CRBs with deposits, counts or settings, which change when a sales day is complete or
 * revised. A CRB that fails is logged and does not stop the others. One that is being restored waits.
 *
 * @returns the numbers of CRBs, of events and of failures
 * @throws OutOfTimeError after the deadline; the next run begins again
 */
export async function sweepReconciliations(
  table: Table,
  { deadline, clock = systemClock }: { deadline?: Date; clock?: Clock } = {},
): Promise<{ crbs: number; events: number; failures: number }> {
  const listed = await table.queryPartition(reconciledCrbPartition, { consistent: true });
  let [events, failures] = [0, 0];
  const compare = async ({ sk: crbId }: { sk: string }) => {
    checkDeadline(clock, deadline);
    try {
      // Until its lists are rebuilt, totals may lack sales that explain deposits.
      if (await isRestoring(table, crbId)) return;
      const recorded = await announceReconciliation(table, crbId, clock);
      events += recorded;
    } catch (error) {
      failures++;
      log.error("reconciliation days not reported", { crb_id: crbId, error: describeError(error) });
    }
  };
  for await (const _ of mapInGroups(listed, atOnce, compare));
  return { crbs: listed.length, events, failures };
}
