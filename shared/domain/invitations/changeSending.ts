import type { Condition, Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { invitationKey } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { Ended } from "./endInvitation.ts";
import { type InvitationEventType, invitationEvents } from "./invitationEvents.ts";

/** Duration of a claim. It exceeds the run time of any sender, so that only the claim of a killed sender expires. */
export const claimMilliseconds = 5 * 60_000;

/** The sending state of an invitation. */
export interface InvitationSending {
  /** When the claim of a sender expires, epoch milliseconds. */
  claimed_until: number;
  /** Number of attempts that SES rejected, or whose result is unknown. */
  attempts?: number;
  /** ISO 8601 UTC */
  sent_at?: string;
  /** Why no more mail is sent for it; see `endInvitation`. */
  ended?: Ended;
  /** ISO 8601 UTC; see `withdrawInvitation`. */
  withdrawn_at?: string;
  /** When `invitation.failed` was reported, ISO 8601 UTC: after the last attempt or at the end of the invitation. */
  failed_at?: string;
  /** Digest of its address. A purge uses it to find the items of the address. */
  address?: string;
  /** The id of the latest request for a link that was fulfilled. */
  link_request?: string;
  /** The latest withdrawal of consent that was reported to the user, ISO 8601 UTC. */
  told_withdrawal?: string;
  /** When that withdrawal was reported, ISO 8601 UTC. */
  told_at?: string;
  /** When the claim on the user's notice expires, epoch milliseconds. */
  notice_claimed_until?: number;
}

/** A change of the sending state, and the event that reports it. */
interface SendingChange {
  attributes: Partial<InvitationSending> & { ended_at?: string };
  condition: Condition;
  event: InvitationEventType;
}

/**
 * Changes the sending state of an invitation and writes the event that reports it.
 *
 * @param plan receives the stored state, again after each conflict; undefined means no change
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

/** Records that an invitation is abandoned, and reports it once. */
export async function noteFailed(table: Table, crbId: string, invitationId: string, clock: Clock): Promise<void> {
  const plan = ({ failed_at, sent_at }: Partial<InvitationSending>): SendingChange | undefined => {
    if (failed_at || sent_at) return undefined;
    const condition = { expression: "attribute_not_exists(failed_at) AND attribute_not_exists(sent_at)" };
    return { attributes: { failed_at: clock.now().toISOString() }, condition, event: "invitation.failed" };
  };
  await changeSending(table, crbId, invitationId, plan, clock);
}
