import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../aws/log.ts";
import type { Table } from "../table/client.ts";
import { invitationKey, noticeKey, unsentInvitationsKey } from "../table/keys.ts";
import type { Clock } from "../time/clock.ts";
import { claimMilliseconds, type Sending } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import type { Invitation } from "./invitations.ts";
import { withdrawalMail } from "./mail.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** What has all users of a CRB told that consent was withdrawn, for the transaction that withdraws it. */
export const withdrawalNotice = (table: Table, crbId: string, now: Date): TransactWriteItem[] => [
  table.putWrite({ ...noticeKey(crbId), withdrawn_at: now.toISOString() }),
  table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
];

/** How long (milliseconds) after a withdrawal its users are told of it, where nothing could be sent before. */
const patience = 24 * 60 * 60 * 1_000;

/**
 * Tells the users of a CRB of the latest withdrawal. As an invitation, each notice is claimed before and marked behind: whoever
 * does the same at the same time tells nobody twice, and whom a sender that was killed has not told for certain is told again.
 *
 * @param end no notice is begun after it, epoch milliseconds
 * @returns false where some are to be told later: nothing can be sent now, somebody else is at it, or the time was too short
 */
export async function sendNotices(
  table: Table,
  { crbId, invitations, ...names }: { crbId: string; invitations: readonly Invitation[] } & WithdrawalNames,
  { clock, end }: { clock: Clock; end: number },
): Promise<boolean> {
  const at = (await table.get(noticeKey(crbId), { consistent: true }))?.withdrawn_at as string | undefined;
  if (!at || clock.now().getTime() > Date.parse(at) + patience) return true;
  let isToldAll = true;
  for (const { id, email } of invitations) {
    const key = invitationKey(crbId, id);
    if (clock.now().getTime() >= end) return false;
    const claimed = await claim(table, key, at, clock);
    isToldAll &&= claimed !== "by another";
    if (claimed !== "mine") continue;
    try {
      await sendMail(email, withdrawalMail({ ...names, at }), mailTags(crbId, id));
    } catch (error) {
      const failure = mailFailure(error);
      log.error("notice not sent", { crb_id: crbId, invitation_id: id, failure, error: describeError(error) });
      if (failure === "outage") {
        await table.update(key, { notice_claimed_until: 0 } satisfies Partial<Sending>);
        return false;
      }
      if (failure === "unknown") {
        // The claim stands for as long as the mail may still be on its way.
        isToldAll = false;
        continue;
      }
    }
    await table.update(key, { told_withdrawal: at, notice_claimed_until: 0 } satisfies Partial<Sending>);
  }
  return isToldAll;
}

type WithdrawalNames = Pick<Parameters<typeof withdrawalMail>[0], "business" | "inviter">;

/**
 * How long (milliseconds) after one withdrawal users are not told of another: whoever gives and withdraws consent again and
 * again has nobody flooded with mail.
 */
const quiet = 6 * 60 * 60 * 1_000;

/** Claims a notice, unless its user knows already, wants no mail, or somebody else is at it. */
async function claim(table: Table, key: ReturnType<typeof invitationKey>, at: string, clock: Clock) {
  const now = clock.now().getTime();
  const knownSince = new Date(Date.parse(at) - quiet).toISOString();
  const { done, item } = await table.change(
    key,
    {
      expression: "SET notice_claimed_until = :until",
      values: { ":until": now + claimMilliseconds, ":now": now, ":known": knownSince },
    },
    "attribute_not_exists(ended) AND (attribute_not_exists(told_withdrawal) OR told_withdrawal < :known)" +
      " AND (attribute_not_exists(notice_claimed_until) OR notice_claimed_until <= :now)",
  );
  if (done) return "mine";
  const { ended, told_withdrawal: told = "" } = (item ?? {}) as Partial<Sending>;
  return ended || told >= knownSince ? "not needed" : "by another";
}
