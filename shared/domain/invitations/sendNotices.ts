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

/** What has all users of a CRB told that consent was withdrawn, for the transaction that withdraws it. */
export const withdrawalNotice = (table: Table, crbId: string, now: Date): TransactWriteItem[] => [
  table.putWrite({ ...noticeKey(crbId), withdrawn_at: now.toISOString() }),
  table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
];

/** How long (milliseconds) after a withdrawal its users are told of it again, where nobody knows whether a mail went out. */
const noticeRetryMs = 24 * 60 * 60 * 1_000;

/**
 * Tells the users of a CRB of the latest withdrawal. As an invitation, each notice is claimed before and marked behind: whoever
 * does the same at the same time tells nobody twice, and whom a sender that was killed has not told for certain is told again.
 *
 * @param withdrawn.consentAt since when there is consent again; the notice says so
 * @param end no notice is begun after it, epoch milliseconds
 * @returns undefined where all are told; otherwise from when on (epoch milliseconds) the others are to be: from now on where
 * nothing can be sent, somebody else is at it, or the time was too short; later where they were told of another lately
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
        // The claim stands for as long as the mail may still be on its way.
        rest.push(now.getTime());
        continue;
      }
    }
    const told = { told_withdrawal: at, told_at: clock.now().toISOString(), notice_claimed_until: 0 };
    await table.update(key, told satisfies Partial<InvitationSending>);
  }
  return rest.length > 0 ? Math.min(...rest) : undefined;
}

/** After so long (milliseconds) nobody is told any more: it would be taken for news. An outage is mended before. */
const stale = 7 * 24 * 60 * 60 * 1_000;

/** Whose consent was withdrawn, and who is to be told. */
interface Withdrawn extends Pick<Parameters<typeof withdrawalMail>[0], "business" | "inviter"> {
  crbId: string;
  invitations: readonly Invitation[];
  /** ISO 8601 UTC */
  consentAt: string | undefined;
}

/**
 * How long (milliseconds) after users were told of one withdrawal they are told of the next: whoever gives and withdraws
 * consent again and again has nobody flooded with mail.
 */
const quiet = 6 * 60 * 60 * 1_000;

/**
 * Claims a notice, unless its user knows already, or wants no mail.
 *
 * @returns where it is to wait, from when on it is to be tried again (epoch milliseconds)
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
