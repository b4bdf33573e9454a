import * as z from "zod";
import { type Table, tryConditionalWrite } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { invitationKey } from "../../store/keys/invitations.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { invitationEvents } from "./invitationEvents.ts";

/**
 * An event that the SES configuration set publishes about the mail of an invitation. The tags of the mail (`mailTags`)
 * identify the invitation.
 */
export const mailEvent = z.object({
  eventType: z.string(),
  bounce: z.object({ bounceType: z.string() }).optional(),
  mail: z.object({ tags: z.object({ crb_id: z.tuple([z.guid()]), invitation_id: z.tuple([z.guid()]) }) }),
});

/** The tags by which events of SES identify the invitation. */
export const mailTags = (crbId: string, invitationId: string): Readonly<Record<string, string>> => ({
  crb_id: crbId,
  invitation_id: invitationId,
});

/**
 * Why an invitation has ended: its address permanently rejects mail, the recipient complained about the mail, or the
 * credential that invited the user was revoked.
 */
export type Ended = "bounced" | "complained" | "withdrawn";

/**
 * Returns why an event ends its invitation. Undefined if the event does not end it, for example after a full mailbox or
 * an out-of-office reply.
 */
export function endOf({ eventType, bounce }: z.infer<typeof mailEvent>): Ended | undefined {
  if (eventType === "Complaint") return "complained";
  return eventType === "Bounce" && bounce?.bounceType === "Permanent" ? "bounced" : undefined;
}

/**
 * Ends an invitation: no sender sends mail for it any more. The first reason stays, except that any later reason
 * replaces a bounce. Repeated events change nothing. An invitation stays unchanged if the service has not tried to send
 * its mail.
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
    { expression: "attribute_exists(attempts) AND attribute_not_exists(ended) AND attribute_not_exists(failed_at)" },
  );
  const isReported = await retryOnConflict(clock, async () => {
    try {
      await commitWithEvents(table, { writes: [first], events }, clock);
      return true;
    } catch (error) {
      if (isUnmet(error, 0)) return false;
      throw error;
    }
  });
  if (isReported) return;
  // The first write did not apply: the failure was reported before, the invitation has ended, or no mail was tried. The
  // condition of the second write distinguishes these cases. A read could not, because the function that ends
  // invitations may not read items with addresses.
  const again = {
    expression:
      "(attribute_not_exists(ended) AND attribute_exists(failed_at)) OR (ended = :bounced AND :ended <> :bounced)",
    values: { ":bounced": "bounced" satisfies Ended, ":ended": ended },
  };
  await tryConditionalWrite(table.update(key, { ended, ended_at: at }, again));
}
