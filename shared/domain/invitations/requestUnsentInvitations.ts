import { log } from "../../platform/aws/log.ts";
import { loggedCount } from "../../platform/aws/metricSeries.ts";
import { type Item, type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { unsentInvitationsKey } from "../../store/keys/invitations.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { requestInvitations } from "./invitationQueue.ts";
import type { Unsent } from "./invitations.ts";

/** The metric of late invitations, for the alarm (docs/operations/alarms.md#invitations-late). */
export const lateInvitationsMetric = "LateInvitations";

/** How long the queue keeps a failing message: it drops the message after five deliveries, six minutes apart. */
const patienceMs = 30 * 60_000;

/** Longest pause between two requests of the schedule. */
const maxPauseMs = 2 * 60 * 60_000;

/**
 * Invitations that stay unsent for this time are late: by then the schedule has repeated the request that the creation
 * of the CRB queued.
 */
const lateMilliseconds = 60 * 60_000;

/**
 * Requests all overdue invitations. The creation of a CRB queues a message that requests its invitations. The schedule
 * makes its first request when the queue has dropped this message. Further requests follow at growing intervals. Each
 * interval equals the time for which the invitations have been unsent so far, up to two hours.
 *
 * @returns the number of CRBs whose invitations were requested, and the number of CRBs whose invitations are late
 */
export async function requestUnsentInvitations(
  table: Table,
  clock: Clock = systemClock,
): Promise<{ requested: number; late: number }> {
  const now = clock.now().getTime();
  const unsent = (await table.queryPartition(unsentInvitationsKey("").pk)) as (Item & Unsent)[];
  const due = unsent.filter(({ since, ask_at: askAt }) => now >= (askAt ?? Date.parse(since) + patienceMs));
  for (const { sk: crbId, since } of due) {
    await requestInvitations(crbId);
    const pause = Math.min(Math.max(now - Date.parse(since), patienceMs), maxPauseMs);
    await putOff(table, crbId, since, now + pause);
  }
  const late = unsent.filter(({ since }) => now - Date.parse(since) >= lateMilliseconds).length;
  if (late > 0) reportLateInvitations(late);
  return { requested: due.length, late };
}

/** @param crbs the number of CRBs whose invitations are late */
export const reportLateInvitations = (crbs: number): void =>
  log.error("invitations have been unsent for long", { crbs, ...loggedCount(lateInvitationsMetric) });

/** Stores the time of the next request, unless the invitations were sent or requested again meanwhile. */
async function putOff(table: Table, crbId: string, since: string, askAt: number): Promise<void> {
  await tryConditionalWrite(table.update(unsentInvitationsKey(crbId), { ask_at: askAt }, unchanged("since", since)));
}
