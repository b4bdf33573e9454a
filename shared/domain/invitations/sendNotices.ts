import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { invitationKey, type NoticeOccasion, noticeKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";
import type { Clock } from "../../time/clock.ts";
import { claimMilliseconds, type InvitationSending } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import type { Invitation } from "./invitations.ts";
import { type Agreed, consentMail, documentsMail, withdrawalMail } from "./mail.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** The attributes of an invitation that record the latest report of an occasion. */
const attributesOf = (occasion: NoticeOccasion) =>
  ({ reported: `reported_${occasion}`, reportedAt: `reported_${occasion}_at` }) as const;

/**
 * Returns the writes that request a notice to all users of a CRB.
 *
 * @param agreed the terms of a consent. The notice keeps them, because the terms may change before the mail
 */
export const noticeWrites = (
  table: Table,
  crbId: string,
  occasion: NoticeOccasion,
  now: Date,
  agreed?: Agreed,
): TransactWriteItem[] => [
  table.putWrite({ ...noticeKey(crbId, occasion), at: now.toISOString(), ...(agreed && { agreed }) }),
  table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
];

/** Within this time (milliseconds) after an occasion, a notice with an unknown result is sent again. */
const noticeRetryMs = 24 * 60 * 60 * 1_000;

/**
 * Sends the users of a CRB notices of the latest consent and withdrawal, and of documents that were not accepted. As with
 * invitations, the sender claims each notice before the mail and marks it as sent after the mail. Concurrent senders
 * therefore send no notice twice, and a notice whose sender was killed is sent again.
 *
 * @param about.consentAt time of the present consent, which the notice of a withdrawal mentions. A consent that does not
 *   hold any more is not reported
 * @param end time after which no further notice is started, epoch milliseconds
 * @returns undefined if no notice is pending; otherwise the time at which pending notices are due (epoch milliseconds).
 *   Notices are due now after an outage, if another sender has claimed a notice, or if time ran out. Notices are due
 *   later if their users recently got another notice of the same occasion
 */
export async function sendNotices(
  table: Table,
  about: NoticeSubject,
  run: { clock: Clock; end: number },
): Promise<number | undefined> {
  const { business, inviter, consentAt } = about;
  const mails = {
    consent: (at: string, agreed: Agreed) => consentMail({ business, inviter, at, agreed }),
    withdrawal: (at: string) =>
      withdrawalMail({ business, inviter, at, ...(consentAt && consentAt > at && { givenAgainAt: consentAt }) }),
    documents: () => documentsMail({ business, inviter }),
  };
  const due: number[] = [];
  for (const occasion of ["consent", "withdrawal", "documents"] as const) {
    const key = noticeKey(about.crbId, occasion);
    const { at, agreed } = ((await table.get(key, { consistent: true })) ?? {}) as { at?: string; agreed?: Agreed };
    if (!at || run.clock.now().getTime() > Date.parse(at) + stale) continue;
    if (occasion === "consent" && at !== consentAt) continue;
    const mail = mails[occasion](at, agreed as Agreed);
    const pending = await sendOccasion(table, about, { occasion, at, mail }, run);
    if (pending !== undefined) due.push(pending);
  }
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** A notice: its occasion, the time of the occasion (ISO 8601 UTC) and the mail. */
interface Notice {
  occasion: NoticeOccasion;
  at: string;
  mail: Parameters<typeof sendMail>[1];
}

/** Sends a notice to each user who has not received it. @returns as `sendNotices` */
async function sendOccasion(
  table: Table,
  { crbId, invitations }: Pick<NoticeSubject, "crbId" | "invitations">,
  { occasion, at, mail }: Notice,
  { clock, end }: { clock: Clock; end: number },
): Promise<number | undefined> {
  const rest: number[] = [];
  for (const { id, email } of invitations) {
    const key = invitationKey(crbId, id);
    const now = clock.now();
    if (now.getTime() >= end) return now.getTime();
    const claimed = await claim(table, key, { occasion, at }, now);
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
    const { reported, reportedAt } = attributesOf(occasion);
    await table.update(key, { [reported]: at, [reportedAt]: clock.now().toISOString(), notice_claimed_until: 0 });
  }
  return rest.length > 0 ? Math.min(...rest) : undefined;
}

/**
 * Notices older than this (milliseconds) are not sent, because users would take an old occasion for a recent one.
 * Outages of SES are expected to be shorter.
 */
const stale = 7 * 24 * 60 * 60 * 1_000;

/** The business that notices are about, and the users to notify. */
interface NoticeSubject extends Pick<Parameters<typeof withdrawalMail>[0], "business" | "inviter"> {
  crbId: string;
  invitations: readonly Invitation[];
  /** ISO 8601 UTC */
  consentAt: string | undefined;
}

/**
 * Minimum time (milliseconds) between two notices of one occasion to a user. Otherwise a user who repeatedly gives and
 * withdraws consent, or a reviewer of many documents, could flood users with mail.
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
  { occasion, at }: Pick<Notice, "occasion" | "at">,
  date: Date,
): Promise<"mine" | "not needed" | number> {
  const now = date.getTime();
  const quietSince = new Date(now - quiet).toISOString();
  const { reported, reportedAt } = attributesOf(occasion);
  const { done, item } = await table.change(
    key,
    {
      expression: "SET notice_claimed_until = :until",
      values: { ":until": now + claimMilliseconds, ":now": now, ":at": at, ":quiet": quietSince },
    },
    `attribute_not_exists(ended) AND (attribute_not_exists(${reported}) OR ${reported} < :at)` +
      ` AND (attribute_not_exists(${reportedAt}) OR ${reportedAt} <= :quiet)` +
      " AND (attribute_not_exists(notice_claimed_until) OR notice_claimed_until <= :now)",
  );
  if (done) return "mine";
  const sending = (item ?? {}) as Partial<InvitationSending>;
  const { [reported]: latest = "", [reportedAt]: latestAt = "" } = sending;
  if (sending.ended || latest >= at) return "not needed";
  return latestAt > quietSince ? Date.parse(latestAt) + quiet : now;
}
