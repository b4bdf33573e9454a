import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { invitationKey, noticeKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";
import type { Clock } from "../../time/clock.ts";
import { claimMilliseconds, type InvitationSending } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import type { Invitation } from "./invitations.ts";
import { withdrawalMail } from "./mail.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** Returns the writes that request a notice of a withdrawal of consent to all users of a CRB. */
export const withdrawalNotice = (table: Table, crbId: string, now: Date): TransactWriteItem[] => [
  table.putWrite({ ...noticeKey(crbId), withdrawn_at: now.toISOString() }),
  table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
];

/** Within this time (milliseconds) after a withdrawal, a notice with an unknown result is sent again. */
const noticeRetryMs = 24 * 60 * 60 * 1_000;

/**
 * Sends the users of a CRB a notice of the latest withdrawal. As with invitations, the sender claims each notice before
 * the mail and marks it as sent after the mail. Concurrent senders therefore send no notice twice, and a notice whose
 * sender was killed is sent again.
 *
 * @param withdrawn.consentAt time of the present consent, which the notice mentions
 * @param end time after which no further notice is started, epoch milliseconds
 * @returns undefined if no notice is pending; otherwise the time at which pending notices are due (epoch milliseconds).
 *   Notices are due now after an outage, if another sender has claimed a notice, or if time ran out. Notices are due
 *   later if their users recently got another notice
 */
export async function sendNotices(
  table: Table,
  { crbId, invitations, consentAt, ...names }: Withdrawn,
  { clock, end }: { clock: Clock; end: number },
): Promise<number | undefined> {
  const at = (await table.get(noticeKey(crbId), { consistent: true }))?.withdrawn_at as string | undefined;
  if (!at || clock.now().getTime() > Date.parse(at) + stale) return undefined;
  const mail = withdrawalMail({ ...names, at, ...(consentAt && consentAt > at && { givenAgainAt: consentAt }) });
  const rest: number[] = [];
  for (const { id, email } of invitations) {
    const key = invitationKey(crbId, id);
    const now = clock.now();
    if (now.getTime() >= end) return now.getTime();
    const claimed = await claim(table, key, at, now);
    if (typeof claimed === "number") rest.push(claimed);
    if (claimed !== "mine") continue;
    try {
      await sendMail(email, mail, mailTags(crbId, id));
    } catch (error) {
      const failure = mailFailure(error);
      log.error("notice not sent", { crb_id: crbId, invitation_id: id, failure, error: describeError(error) });
      if (failure === "outage") {
        await table.update(key, { notice_claimed_until: 0 } satisfies Partial<InvitationSending>);
        return now.getTime();
      }
      if (failure === "unknown" && now.getTime() <= Date.parse(at) + noticeRetryMs) {
        // The mail may have been sent. The notice stays claimed until the claim expires, and is then sent again.
        rest.push(now.getTime());
        continue;
      }
    }
    const told = { told_withdrawal: at, told_at: clock.now().toISOString(), notice_claimed_until: 0 };
    await table.update(key, told satisfies Partial<InvitationSending>);
  }
  return rest.length > 0 ? Math.min(...rest) : undefined;
}

/**
 * Notices older than this (milliseconds) are not sent, because users would take an old withdrawal for a recent one.
 * Outages of SES are expected to be shorter.
 */
const stale = 7 * 24 * 60 * 60 * 1_000;

/** The withdrawn consent, and the users to notify. */
interface Withdrawn extends Pick<Parameters<typeof withdrawalMail>[0], "business" | "inviter"> {
  crbId: string;
  invitations: readonly Invitation[];
  /** ISO 8601 UTC */
  consentAt: string | undefined;
}

/**
 * Minimum time (milliseconds) between two notices to a user. Otherwise a user who repeatedly gives and withdraws
 * consent could flood the other users with mail.
 */
const quiet = 6 * 60 * 60 * 1_000;

/**
 * Claims a notice, unless its user has received it or the invitation has ended.
 *
 * @returns a number if the notice has to wait: when to try again (epoch milliseconds)
 */
async function claim(
  table: Table,
  key: ReturnType<typeof invitationKey>,
  at: string,
  date: Date,
): Promise<"mine" | "not needed" | number> {
  const now = date.getTime();
  const quietSince = new Date(now - quiet).toISOString();
  const { done, item } = await table.change(
    key,
    {
      expression: "SET notice_claimed_until = :until",
      values: { ":until": now + claimMilliseconds, ":now": now, ":at": at, ":quiet": quietSince },
    },
    "attribute_not_exists(ended) AND (attribute_not_exists(told_withdrawal) OR told_withdrawal < :at)" +
      " AND (attribute_not_exists(told_at) OR told_at <= :quiet)" +
      " AND (attribute_not_exists(notice_claimed_until) OR notice_claimed_until <= :now)",
  );
  if (done) return "mine";
  const { ended, told_withdrawal: told = "", told_at: toldAt = "" } = (item ?? {}) as Partial<InvitationSending>;
  if (ended || told >= at) return "not needed";
  return toldAt > quietSince ? Date.parse(toldAt) + quiet : now;
}
