import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { writeToJournal } from "../documents/journal.ts";
import { requestNotices } from "../invitations/invitationQueue.ts";
import { heldSince, withdrawConsent } from "./consent.ts";

/**
 * Writes the withdrawal to the journal and then calls `withdrawConsent`. If the table is restored from a backup, a
 * replay of the entry withdraws the consent again. Finally queues a request for the notices to users. If the queue
 * fails, the schedule requests the notices.
 */
export async function withdrawConsentJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  { crbId, by }: { crbId: string; by: string },
  clock: Clock = systemClock,
): Promise<void> {
  const crb = await readCrb(table, crbId, { consistent: true });
  const since = crb && heldSince(crb);
  if (!since) return;
  // The time of the entry must not be before the consent, because a replay keeps consents that are later than the
  // entry. The time of the consent may come from another machine, whose clock may be ahead.
  const at = new Date(Math.max(clock.now().getTime(), Date.parse(since)));
  const { template_result_id: creation } = crb.record;
  await writeToJournal(bucket, { kind: "withdrawal", crb_id: crbId, creation, invitation_id: by }, at);
  await withdrawConsent(table, { crbId, by }, clock, { at });
  await requestNotices(crbId);
}
