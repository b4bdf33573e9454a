import { type Item, type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { unsentInvitationsKey } from "../../store/keys/invitations.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { requestInvitations } from "./invitationQueue.ts";
import type { Unsent } from "./invitations.ts";

/** The queue has a message for no longer, which it hands over five times, six minutes apart. */
const patienceMs = 30 * 60_000;

/** What cannot be sent is asked for at these intervals in the end. */
const maxPauseMs = 2 * 60 * 60_000;

/** What was asked for twice by then, by the creation and by the schedule, is not unsent by chance. */
const lateMilliseconds = 60 * 60_000;

/**
 * Asks for all invitations to be sent that should have been sent by now: first when the message of the creation must be
 * gone, and then at growing intervals, each as long as they have been unsent so far.
 *
 * @returns of how many CRBs, and of how many they have been unsent for longer than can be by chance
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
  const late = unsent.filter(({ since }) => now - Date.parse(since) >= lateMilliseconds);
  return { requested: due.length, late: late.length };
}

/** Notes when a CRB's invitations are to be asked for again, unless they have been sent, or asked for anew, meanwhile. */
async function putOff(table: Table, crbId: string, since: string, askAt: number): Promise<void> {
  await tryConditionalWrite(table.update(unsentInvitationsKey(crbId), { ask_at: askAt }, unchanged("since", since)));
}
