import { describeError, log } from "../../platform/aws/log.ts";
import type { MetrcOptions } from "../../pos/metrc/metrcAccess.ts";
import { maxReadingsPerState } from "../../pos/metrc/metrcApi.ts";
import type { Table } from "../../store/client.ts";
import { mapInGroups } from "../../store/groups.ts";
import { stateConnectionsPartition } from "../../store/keys/stateSystems.ts";
import { type StateConnections, toConnections } from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { OutOfTimeError } from "../../time/deadline.ts";
import { readDueLicenses } from "./readDueLicenses.ts";
import { reportRejectingStates } from "./stateKeyMetric.ts";

export interface SweepOptions {
  clock?: Clock;
  /** After this time no further reading begins, and running ones end. */
  deadline?: Date;
  metrc?: MetrcOptions;
}

/** Milliseconds for which a sweep works without a deadline. */
const defaultMs = 10 * 60_000;

/**
 * Reads the licenses of all CRBs whose next reading is due, the longest due first, and all states at once. A CRB that fails
 * is logged and does not stop the others. Two sweeps at once read no license twice, because a reading moves the due time of
 * its licenses first.
 *
 * @returns the numbers of CRBs whose licenses were read, of readings and of failures
 * @throws ServiceError "unavailable" if the table cannot be reached
 */
export async function sweepStateConnections(
  table: Table,
  { clock = systemClock, deadline = new Date(clock.now().getTime() + defaultMs), metrc }: SweepOptions = {},
): Promise<{ crbs: number; licenses: number; failures: number }> {
  const listed = (await table.queryPartition(stateConnectionsPartition)).map(toConnections);
  reportRejectingStates(listed, clock.now());
  const now = clock.now().toISOString();
  const due = listed
    .filter((connections) => dueOf(connections) <= now)
    .sort((one, other) => (dueOf(one) < dueOf(other) ? -1 : 1));
  const swept = { crbs: 0, licenses: 0, failures: 0 };
  const read = async ({ crbId }: StateConnections) => {
    if (clock.now() >= deadline) return;
    try {
      const licenses = await readDueLicenses(table, crbId, { clock, deadline, ...(metrc && { metrc }) });
      // `+= await` would read the sum before other readings of the group add to it.
      swept.licenses += licenses;
      swept.crbs++;
    } catch (error) {
      if (error instanceof OutOfTimeError) return;
      swept.failures++;
      log.error("state days not read", { crb_id: crbId, error: describeError(error) });
    }
  };
  const readAll = async (some: StateConnections[]) => {
    for await (const _ of mapInGroups(some, maxReadingsPerState, read));
  };
  await Promise.all([...Map.groupBy(due, stateOf).values()].map(readAll));
  return swept;
}

/** The state whose limits a reading uses. A business seldom has licenses of several states. */
const stateOf = ({ licenses }: StateConnections) => Object.values(licenses)[0]?.state;

/** The earliest due time; after every instant if there is no connection. */
const dueOf = ({ licenses }: StateConnections): string =>
  Object.values(licenses)
    .map(({ due }) => due)
    .sort()[0] ?? "A";
