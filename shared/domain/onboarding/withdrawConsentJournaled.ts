import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { writeToJournal } from "../documents/journal.ts";
import { requestInvitations } from "../invitations/invitationQueue.ts";
import { heldSince, withdrawConsent } from "./consent.ts";

/**
 * `withdrawConsent`, noted in the journal before, so that a restored table does not bring back what was withdrawn; then the
 * users are told, at once or, where the queue cannot be asked, by the schedule.
 */
export async function withdrawConsentJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  { crbId, by }: { crbId: string; by: string },
  clock: Clock = systemClock,
): Promise<void> {
  const crb = await readCrb(table, crbId, { consistent: true });
  const since = crb && heldSince(crb);
  if (!since) return;
  // Not before what it withdraws, which another machine's clock has dated: a replay leaves what is younger.
  const at = new Date(Math.max(clock.now().getTime(), Date.parse(since)));
  const { template_result_id: creation } = crb.record;
  await writeToJournal(bucket, { kind: "withdrawal", crb_id: crbId, creation, invitation_id: by }, at);
  await withdrawConsent(table, { crbId, by }, clock, { at });
  await requestInvitations(crbId).catch((error) =>
    log.error("not queued", { crb_id: crbId, error: describeError(error) }),
  );
}
