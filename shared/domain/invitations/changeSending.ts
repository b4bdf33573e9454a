import type { Condition, Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { invitationKey } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { Ended } from "./endInvitation.ts";
import { type InvitationEventType, invitationEvents } from "./invitationEvents.ts";

/** How long a sender that was killed keeps others from sending: longer than one that lives can take. */
export const claimMilliseconds = 5 * 60_000;

/** How far the sending of an invitation is. */
export interface InvitationSending {
  /** Until when it is somebody's to send, epoch milliseconds. */
  claimed_until: number;
  /** How often the mail was refused, or may have gone out without an answer to tell. */
  attempts?: number;
  /** ISO 8601 UTC */
  sent_at?: string;
  /** That no mail is sent for it any more; see `endInvitation`. */
  ended?: Ended;
  /** When it was withdrawn, ISO 8601 UTC; see `withdrawInvitation`. */
  withdrawn_at?: string;
  /** When it was told that it has failed, ISO 8601 UTC: it was given up, or has ended. */
  failed_at?: string;
  /** Digest of its address, by which a purge finds what leads to it. */
  address?: string;
  /** The latest request for a link that was answered. */
  link_request?: string;
  /** The latest withdrawal of which its user was told, ISO 8601 UTC. */
  told_withdrawal?: string;
  /** When its user was told of that, ISO 8601 UTC. */
  told_at?: string;
  /** Until when it is somebody's to tell its user of a withdrawal, epoch milliseconds. */
  notice_claimed_until?: number;
}

/** What becomes of a sending, and the event that tells of it. */
interface SendingChange {
  attributes: Partial<InvitationSending> & { ended_at?: string };
  condition: Condition;
  event: InvitationEventType;
}

/**
 * Changes how far the sending of an invitation is, with the event that tells of it.
 *
 * @param plan is given the sending as stored, and again when somebody else changed it in between; undefined leaves it
 */
export async function changeSending(
  table: Table,
  crbId: string,
  invitationId: string,
  plan: (sending: Partial<InvitationSending>) => SendingChange | undefined,
  clock: Clock,
): Promise<void> {
  const key = invitationKey(crbId, invitationId);
  await retryOnConflict(clock, async () => {
    const change = plan(((await table.get(key, { consistent: true })) ?? {}) as Partial<InvitationSending>);
    if (!change) return;
    const { attributes, condition, event } = change;
    const events = await invitationEvents(table, crbId, invitationId, event);
    await commitWithEvents(table, { writes: [table.setWrite(key, attributes, condition)], events }, clock);
  });
}

/** Notes that an invitation is given up, unless that is known. */
export async function noteFailed(table: Table, crbId: string, invitationId: string, clock: Clock): Promise<void> {
  const plan = ({ failed_at, sent_at }: Partial<InvitationSending>): SendingChange | undefined => {
    if (failed_at || sent_at) return undefined;
    const condition = { expression: "attribute_not_exists(failed_at) AND attribute_not_exists(sent_at)" };
    return { attributes: { failed_at: clock.now().toISOString() }, condition, event: "invitation.failed" };
  };
  await changeSending(table, crbId, invitationId, plan, clock);
}
