import { describeError, log } from "../../platform/aws/log.ts";
import { itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { listServiceProviders } from "../../store/crbs.ts";
import { mapInGroups } from "../../store/groups.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { reconciledCrbPartition } from "../../store/keys/deposits.ts";
import { crbList } from "../../store/keys/orderedLists.ts";
import { overviewKey, overviewPartition, overviewSweptKey } from "../../store/keys/overview.ts";
import { readRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { readLinks } from "../linkedLicenses/readLinks.ts";
import type { Intervals } from "../replication/replicationIntervals.ts";
import { computeFigures } from "./overviewRow.ts";

/** CRBs that are computed at the same time. */
const atOnce = 8;

/** What a sweep did. */
export interface OverviewSweep {
  /** the rows that were computed */
  rows: number;
  /** those that have changed, and those that were removed */
  written: number;
  /** the CRBs whose row could not be computed; their rows stay as they were, with their time */
  failures: number;
}

interface SweepOptions {
  clock?: Clock;
  /** after this time no further row is computed */
  deadline?: Date;
}

/**
 * Computes the rows of all CRBs, and stores those that have changed. A row follows from stored facts alone. So a sweep can be
 * interrupted, and two can run at once. Rows of CRBs whose association has ended are removed.
 *
 * @param intervals the stage's intervals of replication: data that is older than three of them is late
 * @throws OutOfTimeError after the deadline; ServiceError "unavailable" if the table cannot be reached
 */
export async function sweepOverviews(
  table: Table,
  intervals: Intervals,
  options: SweepOptions = {},
): Promise<OverviewSweep> {
  const total: OverviewSweep = { rows: 0, written: 0, failures: 0 };
  for (const { id } of await listServiceProviders(table)) {
    const { rows, written, failures } = await sweepOverview(table, id, intervals, options);
    total.rows += rows;
    total.written += written;
    total.failures += failures;
  }
  return total;
}

/** Sweeps the overview of one service provider. */
export async function sweepOverview(
  table: Table,
  spId: string,
  intervals: Intervals,
  { clock = systemClock, deadline }: SweepOptions = {},
): Promise<OverviewSweep> {
  const result: OverviewSweep = { rows: 0, written: 0, failures: 0 };
  const began = clock.now();
  const { crbIds, stored, linksOf, withDeposits, restoring } = await readProvider(table, spId);
  const crbs = await table.batchGet(crbIds.map(crbKey));
  let isComplete = true;
  const compute = async (crbId: string) => {
    checkDeadline(clock, deadline);
    const item = crbs.get(itemId(crbKey(crbId)));
    if (!item) return;
    try {
      // The row of a CRB that is restored would have figures of lists that are not rebuilt yet.
      if (restoring.has(crbId)) {
        isComplete = false;
        return;
      }
      const sources = { links: linksOf.get(crbId) ?? [], hasDeposits: withDeposits.has(crbId) };
      const row = JSON.stringify(await computeFigures(table, { crb: toCrb(item), ...sources, intervals, now: began }));
      result.rows++;
      if (row === stored.get(crbId)) return;
      await storeRow(table, spId, crbId, row, began);
      result.written++;
    } catch (error) {
      isComplete = false;
      result.failures++;
      log.error("overview row not computed", { crb_id: crbId, error: describeError(error) });
    }
  };
  for await (const _ of mapInGroups(crbIds, atOnce, compute));
  const present = new Set(crbIds);
  const ended = [...stored.keys()].filter((crbId) => !present.has(crbId));
  await removeRows(table, spId, ended);
  result.written += ended.length;
  if (isComplete && crbIds.length > 0) await storeSweep(table, spId, began);
  return result;
}

/** The CRBs of a service provider, with their stored rows, the linked licenses, and which CRBs have deposits or are restored. */
async function readProvider(table: Table, spId: string) {
  const [associations, items, links, reconciled, closed] = await Promise.all([
    table.queryPartition(crbList(spId).pk),
    table.queryPartition(overviewPartition(spId)),
    readLinks(table, spId),
    table.queryPartition(reconciledCrbPartition),
    readRestoring(table, spId),
  ]);
  const { sk: swept } = overviewSweptKey(spId);
  return {
    crbIds: associations.map(({ sk }) => sk),
    stored: new Map(items.flatMap(({ sk, row }): [string, string][] => (sk === swept ? [] : [[sk, row as string]]))),
    linksOf: Map.groupBy(links, ({ names }) => names.crbId),
    withDeposits: new Set(reconciled.map(({ sk }) => sk)),
    restoring: new Set(closed.map(({ crbId }) => crbId)),
  };
}

const storeRow = (table: Table, spId: string, crbId: string, row: string, computed: Date) =>
  table.put({ ...overviewKey(spId, crbId), row, as_of: computed.toISOString() });

const storeSweep = (table: Table, spId: string, began: Date) =>
  table.put({ ...overviewSweptKey(spId), as_of: began.toISOString() });

const removeRows = (table: Table, spId: string, crbIds: readonly string[]) =>
  table.batchDelete(crbIds.map((crbId) => overviewKey(spId, crbId)));
