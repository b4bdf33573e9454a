import * as z from "zod";
import type { Table } from "../table/client.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { changeSending, type Sending } from "./changeSending.ts";

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

/** Why an invitation has ended: its address takes no mail for good, or its owner does not want ours. */
export type Ended = "bounced" | "complained";

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
  const plan = (sending: Partial<Sending>) => {
    const isKnown = sending.ended !== undefined && (sending.ended === ended || ended === "bounced");
    if (sending.attempts === undefined || isKnown) return undefined;
    const isTold = sending.failed_at !== undefined;
    const conditions = [
      "attribute_exists(attempts)",
      sending.ended ? "attribute_exists(ended)" : "attribute_not_exists(ended)",
      isTold ? "attribute_exists(failed_at)" : "attribute_not_exists(failed_at)",
    ];
    return {
      attributes: { ended, ended_at: at, failed_at: sending.failed_at ?? at },
      condition: { expression: conditions.join(" AND ") },
      event: isTold ? undefined : ("invitation.failed" as const),
    };
  };
  await changeSending(table, crbId, invitationId, plan, clock);
}
