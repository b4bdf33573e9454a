import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../aws/log.ts";
import { conditionHeld, type Table } from "../table/client.ts";
import { invitationKey, noticeKey, unsentInvitationsKey } from "../table/keys.ts";
import { mailTags } from "./endInvitation.ts";
import type { Invitation } from "./invitations.ts";
import { withdrawalMail } from "./mail.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** What has all users of a CRB told that consent was withdrawn, for the transaction that withdraws it. */
export const withdrawalNotice = (table: Table, crbId: string, now: Date): TransactWriteItem[] => [
  table.putWrite({ ...noticeKey(crbId), withdrawn_at: now.toISOString() }),
  table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
];

/**
 * Tells the users of a CRB of the latest withdrawal, each once: whoever does the same at the same time tells nobody twice.
 *
 * @returns false where some are to be told later, because nothing can be sent now
 */
export async function sendNotices(
  table: Table,
  { crbId, invitations, ...names }: { crbId: string; invitations: readonly Invitation[] } & WithdrawalNames,
): Promise<boolean> {
  const at = (await table.get(noticeKey(crbId), { consistent: true }))?.withdrawn_at as string | undefined;
  if (!at) return true;
  for (const { id, email } of invitations) {
    const key = invitationKey(crbId, id);
    if (!(await claim(table, key, at))) continue;
    try {
      await sendMail(email, withdrawalMail({ ...names, at }), mailTags(crbId, id));
    } catch (error) {
      const failure = mailFailure(error);
      log.error("notice not sent", { crb_id: crbId, invitation_id: id, failure, error: describeError(error) });
      if (failure !== "outage") continue;
      await table.update(key, { told_withdrawal: "" });
      return false;
    }
  }
  return true;
}

type WithdrawalNames = Pick<Parameters<typeof withdrawalMail>[0], "business" | "inviter">;

/**
 * How long (milliseconds) after one withdrawal users are not told of another: whoever gives and withdraws consent again and
 * again has nobody flooded with mail.
 */
const quiet = 6 * 60 * 60 * 1_000;

/** Notes that a user is told, before, unless somebody has; a mail for which nobody knows goes out no second time. */
async function claim(table: Table, key: ReturnType<typeof invitationKey>, at: string): Promise<boolean> {
  const untold = {
    expression: "attribute_not_exists(ended) AND (attribute_not_exists(told_withdrawal) OR told_withdrawal < :before)",
    values: { ":before": new Date(Date.parse(at) - quiet).toISOString() },
  };
  return conditionHeld(table.update(key, { told_withdrawal: at }, untold));
}
