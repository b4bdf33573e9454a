import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { describeError, log } from "../api/log.ts";
import type { Item, Table } from "../table/client.ts";
import { type Clock, systemClock } from "../table/clock.ts";
import { readCrb, readServiceProvider } from "../table/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../table/keys.ts";
import { type Invitation, readInvitations } from "./invitations.ts";
import { type Invited, invitationMail } from "./mail.ts";
import { refusesMail, sendMail } from "./sendMail.ts";
import { invitationToken } from "./token.ts";

/** How far the sending of an invitation is. */
export interface Sending {
  /** Until when it is somebody's to send, epoch milliseconds. */
  claimed_until: number;
  /** How often the address, or the mail to it, was refused. */
  attempts?: number;
  /** ISO 8601 UTC */
  sent_at?: string;
}

/** How long a sender that was killed keeps others from sending: longer than one that lives can take. */
const claimMilliseconds = 5 * 60_000;

/** An address that refused that often is left alone. */
const mostAttempts = 10;

/**
 * What became of a CRB's invitations. `unsent` are tried again later, as long as it takes; `abandoned` were refused too
 * often, and wait for `resendInvitations`.
 */
export interface SendingResult {
  sent: number;
  unsent: number;
  abandoned: number;
}

/**
 * Sends what is unsent of a CRB's invitations. Each is claimed before and marked behind, so that whoever does the same
 * at the same time, or again, sends none twice; only one that was killed in between leaves it open whether its mail
 * went out, and then it goes out again.
 */
export async function sendInvitations(table: Table, crbId: string, clock: Clock = systemClock): Promise<SendingResult> {
  const result: SendingResult = { sent: 0, unsent: 0, abandoned: 0 };
  const crb = await readCrb(table, crbId);
  const inviter = crb && (await readServiceProvider(table, crb.serviceProviderId));
  const invitations = inviter ? await readInvitations(table, crbId) : [];
  for (const invitation of invitations) {
    const words = {
      business: crb?.record.name ?? "",
      inviter: inviter?.name ?? "",
      firstName: invitation.firstName,
      link: `${process.env.APP_URL}/invitations/${invitationToken(invitation.id)}`,
    };
    result[await sendOnce(table, crbId, invitation, words, clock)]++;
  }
  if (result.unsent === 0) await table.delete(unsentInvitationsKey(crbId));
  return result;
}

async function sendOnce(
  table: Table,
  crbId: string,
  { id, email }: Invitation,
  words: Invited,
  clock: Clock,
): Promise<keyof SendingResult> {
  const key = invitationKey(crbId, id);
  const before = (await table.get(key, { consistent: true })) as (Item & Sending) | undefined;
  if (before?.sent_at) return "sent";
  if ((before?.attempts ?? 0) >= mostAttempts) return "abandoned";
  const now = clock.now().getTime();
  let claimed: Partial<Sending>;
  try {
    claimed = (await table.update(
      key,
      { claimed_until: now + claimMilliseconds },
      {
        expression: "attribute_not_exists(sent_at) AND (attribute_not_exists(claimed_until) OR claimed_until <= :now)",
        values: { ":now": now },
      },
    )) as Item & Partial<Sending>;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "unsent";
    throw error;
  }
  try {
    await sendMail(email, invitationMail(words));
  } catch (error) {
    const attempts = (claimed.attempts ?? 0) + (refusesMail(error) ? 1 : 0);
    const facts = { crb_id: crbId, invitation_id: id };
    log.error("invitation not sent", { ...facts, attempts, error: describeError(error) });
    await table.update(key, { attempts, claimed_until: 0 });
    if (attempts < mostAttempts) return "unsent";
    log.error("invitation abandoned", facts);
    return "abandoned";
  }
  await table.update(key, { sent_at: clock.now().toISOString() });
  return "sent";
}
