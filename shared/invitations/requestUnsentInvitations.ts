import type { Table } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { unsentInvitationsKey } from "../table/keys.ts";
import { requestInvitations } from "./queue.ts";

/** What is younger is still in the queue. */
const patienceMilliseconds = 10 * 60_000;

/**
 * Asks for all invitations to be sent that should have been sent by now.
 *
 * @returns of how many CRBs
 */
export async function requestUnsentInvitations(table: Table, clock: Clock = systemClock): Promise<number> {
  const unsent = await table.queryPartition(unsentInvitationsKey("").pk);
  const due = new Date(clock.now().getTime() - patienceMilliseconds).toISOString();
  const late = unsent.filter(({ since }) => (since as string) < due);
  for (const { sk: crbId } of late) await requestInvitations(crbId);
  return late.length;
}
