import { endOlderTokens } from "../../auth/invitationTokens.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { readCrb, readServiceProvider } from "../../store/crbs.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { changeSending, claimMilliseconds, type InvitationSending, noteFailed } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import { type Invitation, readInvitations, type Unsent } from "./invitations.ts";
import { invitationMail } from "./mail.ts";
import { newLink } from "./newLink.ts";
import { mailFailure, sendMail } from "./sendMail.ts";
import { sendNotices } from "./sendNotices.ts";

/** After this number of attempts an invitation is abandoned. */
const maxAttempts = 10;

/**
 * A call begins no further invitation after this time, so that slow responses of SES do not exceed the function's
 * timeout.
 */
const passMilliseconds = 30_000;

/**
 * The invitations of a CRB by result. The schedule retries `unsent` invitations without limit. `abandoned` invitations
 * have used all attempts or have ended; `resendInvitations` retries invitations that have used all attempts, but not
 * invitations that have ended.
 */
export interface SendingResult {
  sent: number;
  unsent: number;
  abandoned: number;
}

type Outcome = keyof SendingResult;

/**
 * Sends the unsent invitations of a CRB, then the notices to its users. Stops at a failure that would affect all mails.
 * The sender claims each invitation before the mail and marks it as sent after the mail, so that concurrent or repeated
 * senders send no invitation twice. An invitation stays unmarked if SES did not respond or the sender was killed. Its
 * mail is then sent again, in up to ten attempts. After the end of the association nothing is sent.
 */
export async function sendInvitations(table: Table, crbId: string, clock: Clock = systemClock): Promise<SendingResult> {
  const result: SendingResult = { sent: 0, unsent: 0, abandoned: 0 };
  const listed = await table.get(unsentInvitationsKey(crbId), { consistent: true });
  // The read is consistent, because the message may arrive right after the creation of the CRB. If the CRB were not
  // found, its users would never be invited.
  const crb = await readCrb(table, crbId, { consistent: true });
  const spId = crb?.serviceProviderId ?? "";
  const isAssociated = crb && (await table.get(associationKey(spId, crbId), { consistent: true }));
  const inviter = isAssociated && (await readServiceProvider(table, spId));
  const invitations = inviter ? await readInvitations(table, crbId) : [];
  const end = clock.now().getTime() + passMilliseconds;
  const names = { business: crb?.record.name ?? "", inviter: inviter?.name ?? "" };
  let outage = false;
  for (const invitation of invitations) {
    const key = invitationKey(crbId, invitation.id);
    const sending = ((await table.get(key, { consistent: true })) ?? {}) as Partial<InvitationSending>;
    const now = clock.now().getTime();
    let outcome: Outcome | "outage" | undefined = findSkipReason(sending, now);
    if (!outcome && !outage && now < end) {
      outcome = await attempt(table, { crbId, spId, invitation }, names, sending.attempts ?? 0, clock);
    }
    if (outcome === "abandoned") {
      log.error("invitation abandoned", { crb_id: crbId, invitation_id: invitation.id });
      await noteFailed(table, crbId, invitation.id, clock);
    }
    outage ||= outcome === "outage";
    result[outcome === "sent" || outcome === "abandoned" ? outcome : "unsent"]++;
  }
  if (outage) return result;
  const subject = { crbId, ...names, invitations, consentAt: crb?.withdrawal ? undefined : crb?.consent?.date };
  const notices = await sendNotices(table, subject, { clock, end });
  if (!listed || result.unsent > 0) return result;
  if (notices === undefined) await unlist(table, crbId, listed.since);
  else if (notices > clock.now().getTime()) await postpone(table, crbId, listed.since, notices);
  return result;
}

/** Postpones the schedule's next request until an instant (epoch milliseconds). Lateness counts from that instant. */
async function postpone(table: Table, crbId: string, since: unknown, until: number): Promise<void> {
  const unsent: Unsent = { since: new Date(until).toISOString(), ask_at: until };
  await tryConditionalWrite(table.update(unsentInvitationsKey(crbId), { ...unsent }, unchanged("since", since)));
}

/** Records that a CRB has no unsent invitations or notices, unless the operator requested invitations meanwhile. */
async function unlist(table: Table, crbId: string, since: unknown): Promise<void> {
  await tryConditionalWrite(table.delete(unsentInvitationsKey(crbId), unchanged("since", since)));
}

/** Returns why an invitation is not due; undefined if it is due. */
function findSkipReason(
  { sent_at: sentAt, claimed_until: claimedUntil = 0, attempts = 0, ended }: Partial<InvitationSending>,
  now: number,
) {
  if (sentAt) return "sent";
  if (ended) return "abandoned";
  // Another sender has claimed the invitation. That sender may still undo the count of its attempt, so the number of
  // attempts is not final.
  if (claimedUntil > now) return "unsent";
  return attempts >= maxAttempts ? "abandoned" : undefined;
}

const notEnded = {
  condition: { expression: "attribute_not_exists(ended)" },
  holds: ({ ended }: Partial<InvitationSending>) => !ended,
};

/**
 * Tries to send an invitation, unless another sender has claimed it. The attempt is counted before the mail is sent, so
 * that attempts with an unknown result count too. The count is undone if it is certain that no mail was sent.
 */
async function attempt(
  table: Table,
  { crbId, spId, invitation }: { crbId: string; spId: string; invitation: Invitation },
  names: { business: string; inviter: string },
  before: number,
  clock: Clock,
): Promise<Outcome | "outage"> {
  const { id, email } = invitation;
  const key = invitationKey(crbId, id);
  const now = clock.now().getTime();
  const attempts = before + 1;
  const claim = table.update(
    key,
    { claimed_until: now + claimMilliseconds, attempts },
    {
      expression:
        "attribute_not_exists(sent_at) AND attribute_not_exists(ended) AND (attribute_not_exists(claimed_until) OR claimed_until <= :now)" +
        " AND (attribute_not_exists(attempts) OR attempts = :before)",
      values: { ":now": now, ":before": before },
    },
  );
  if (!(await tryConditionalWrite(claim))) return "unsent";
  const giveBack = () => table.update(key, { claimed_until: 0, attempts: before });
  const made = await newLink(table, { crbId, spId, invitation }, {}, clock, notEnded).catch(async (error) => {
    // No mail was sent. A failure of the table or a wrong APP_URL must not use up the attempts of the invitation.
    await giveBack();
    throw error;
  });
  if (!made) {
    await giveBack();
    return "unsent";
  }
  try {
    await sendMail(email, invitationMail({ ...names, link: made.link }), mailTags(crbId, id));
  } catch (error) {
    const failure = mailFailure(error);
    const facts = { crb_id: crbId, invitation_id: id, failure, attempts: failure === "outage" ? before : attempts };
    log.error("invitation not sent", { ...facts, error: describeError(error) });
    await table.update(key, { claimed_until: 0, ...(failure === "outage" && { attempts: before }) });
    if (failure === "outage") return "outage";
    return attempts < maxAttempts ? "unsent" : "abandoned";
  }
  // Ends the tokens of earlier attempts, because the mails of these attempts may have been sent.
  await endOlderTokens(table, made, clock);
  const sentAt = clock.now().toISOString();
  const plan = ({ sent_at }: Partial<InvitationSending>) => {
    if (sent_at) return undefined;
    const condition = { expression: "attribute_not_exists(sent_at)" };
    return { attributes: { sent_at: sentAt }, condition, event: "invitation.sent" as const };
  };
  await changeSending(table, crbId, id, plan, clock);
  return "sent";
}
