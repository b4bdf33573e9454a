import * as z from "zod";
import { type Table, tryConditionalWrite } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { invitationKey } from "../../store/keys/invitations.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { invitationEvents } from "./invitationEvents.ts";

/** What SES tells of a mail by its configuration set, as far as it ends an invitation; `mailTags` names which. */
export const mailEvent = z.object({
  eventType: z.string(),
  bounce: z.object({ bounceType: z.string() }).optional(),
  mail: z.object({ tags: z.object({ crb_id: z.tuple([z.guid()]), invitation_id: z.tuple([z.guid()]) }) }),
});

/** By which SES tells of which invitation a mail was. */
export const mailTags = (crbId: string, invitationId: string): Readonly<Record<string, string>> => ({
  crb_id: crbId,
  invitation_id: invitationId,
});

/**
 * Why an invitation has ended: its address permanently rejects mail, its owner unsubscribed, or the credential that
 * invited was revoked.
 */
export type Ended = "bounced" | "complained" | "withdrawn";

/** Why an event ends the invitation that it is about; a mailbox that is full, or somebody on vacation, does not. */
export function endOf({ eventType, bounce }: z.infer<typeof mailEvent>): Ended | undefined {
  if (eventType === "Complaint") return "complained";
  return eventType === "Bounce" && bounce?.bounceType === "Permanent" ? "bounced" : undefined;
}

/**
 * Ends an invitation: no mail is sent for it any more, whoever asks. A complaint outlasts a bounce, and what has ended
 * stays so, in whatever order and however often it is told. Does nothing where no mail was tried.
 *
 * @param at ISO 8601 UTC
 */
export async function endInvitation(
  table: Table,
  crbId: string,
  invitationId: string,
  ended: Ended,
  at: string,
  clock: Clock = systemClock,
): Promise<void> {
  const key = invitationKey(crbId, invitationId);
  const events = await invitationEvents(table, crbId, invitationId, "invitation.failed");
  const first = table.setWrite(
    key,
    { ended, ended_at: at, failed_at: at },
    {
      expression: "attribute_exists(attempts) AND attribute_not_exists(ended) AND attribute_not_exists(failed_at)",
    },
  );
  const isTold = await retryOnConflict(clock, async () => {
    try {
      await commitWithEvents(table, { writes: [first], events }, clock);
      return true;
    } catch (error) {
      if (isUnmet(error, 0)) return false;
      throw error;
    }
  });
  if (isTold) return;
  // That it has failed was told before, or no mail was tried. Nothing is read: who ends invitations may see no address.
  const again = {
    expression:
      "(attribute_not_exists(ended) AND attribute_exists(failed_at)) OR (ended = :bounced AND :ended <> :bounced)",
    values: { ":bounced": "bounced" satisfies Ended, ":ended": ended },
  };
  await tryConditionalWrite(table.update(key, { ended, ended_at: at }, again));
}
