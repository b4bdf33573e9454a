import type { Condition, Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { invitationKey, type NoticeOccasion } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { Ended } from "./endInvitation.ts";
import { type InvitationEventType, invitationEvents } from "./invitationEvents.ts";

/**
 * How long a sender may claim an invitation. The duration exceeds the run time of any sender, so that a claim expires
 * only if its sender was killed.
 */
export const claimMilliseconds = 5 * 60_000;

/** The latest reported time of each occasion of a notice, and when it was reported to the user, both ISO 8601 UTC. */
type ReportedOccasions = Partial<Record<`reported_${NoticeOccasion}` | `reported_${NoticeOccasion}_at`, string>>;

/** The sending state of an invitation. */
export interface InvitationSending extends ReportedOccasions {
  /** When the present sender's claim expires, epoch milliseconds. */
  claimed_until: number;
  /** Number of attempts that SES rejected, or whose result is unknown. */
  attempts?: number;
  /** ISO 8601 UTC */
  sent_at?: string;
  /** Why no more mail is sent for the invitation; see `endInvitation`. */
  ended?: Ended;
  /** ISO 8601 UTC; see `withdrawInvitation`. */
  withdrawn_at?: string;
  /** When `invitation.failed` was reported, ISO 8601 UTC: after the last attempt or at the end of the invitation. */
  failed_at?: string;
  /** Digest of the e-mail address. A purge uses it to find the items of the address. */
  address?: string;
  /** The id of the latest fulfilled request for a new link. */
  link_request?: string;
  /** When a sender's claim on the notice to the user expires, epoch milliseconds. */
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
 * @param plan returns the change of the stored state, or undefined for no change; called again after each conflict
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

/** Records that an invitation is abandoned, and writes the event `invitation.failed` once. */
export async function noteFailed(table: Table, crbId: string, invitationId: string, clock: Clock): Promise<void> {
  const plan = ({ failed_at, sent_at }: Partial<InvitationSending>): SendingChange | undefined => {
    if (failed_at || sent_at) return undefined;
    const condition = { expression: "attribute_not_exists(failed_at) AND attribute_not_exists(sent_at)" };
    return { attributes: { failed_at: clock.now().toISOString() }, condition, event: "invitation.failed" };
  };
  await changeSending(table, crbId, invitationId, plan, clock);
}
