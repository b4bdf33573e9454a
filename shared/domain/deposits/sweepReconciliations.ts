import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { reconciledCrbPartition, reconciliationSweepKey } from "../../store/keys/deposits.ts";
import { isRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPast } from "../../time/deadline.ts";
import { announceReconciliation } from "./announceReconciliation.ts";

/** CRBs that are compared at the same time. */
const atOnce = 8;

/** What a sweep did. */
export interface ReconciliationSweep {
  /** number of CRBs that were compared */
  crbs: number;
  events: number;
  /** number of CRBs whose days could not be reported; the next sweep tries them again */
  failures: number;
  /** whether the deadline came before the end of the sweep; the next sweep continues */
  handedOver: boolean;
}

/**
 * Reports the reconciliation days of all CRBs with deposits, counts or settings, which change when a sales day is complete or
 * revised. A CRB that fails is logged and does not stop the others. One that is being restored waits. At the deadline, the sweep
 * stores its place, and the next sweep continues from there.
 *
 * @param deadline after this time, the sweep compares no further CRB
 */
export async function sweepReconciliations(
  table: Table,
  { deadline, clock = systemClock }: { deadline?: Date; clock?: Clock } = {},
): Promise<ReconciliationSweep> {
  const swept: ReconciliationSweep = { crbs: 0, events: 0, failures: 0, handedOver: false };
  const listed = (await table.queryPartition(reconciledCrbPartition, { consistent: true })).map(({ sk }) => sk);
  const stopped = ((await table.get(reconciliationSweepKey, { consistent: true }))?.after as string | undefined) ?? "";
  const first = listed.findIndex((crbId) => crbId > stopped);
  const inTurn = first < 0 ? listed : [...listed.slice(first), ...listed.slice(0, first)];
  const compare = async (crbId: string) => {
    try {
      // Until its lists are rebuilt, totals may lack sales that explain deposits.
      if (await isRestoring(table, crbId)) return;
      const recorded = await announceReconciliation(table, crbId, clock);
      swept.events += recorded;
    } catch (error) {
      swept.failures++;
      log.error("reconciliation days not reported", { crb_id: crbId, error: describeError(error) });
    }
  };
  while (swept.crbs < inTurn.length && !isPast(clock, deadline)) {
    const some = inTurn.slice(swept.crbs, swept.crbs + atOnce);
    await Promise.all(some.map(compare));
    swept.crbs += some.length;
  }
  swept.handedOver = swept.crbs < inTurn.length;
  if (swept.handedOver) await table.put({ ...reconciliationSweepKey, after: inTurn[swept.crbs - 1] ?? stopped });
  else if (stopped) await table.delete(reconciliationSweepKey);
  return swept;
}
