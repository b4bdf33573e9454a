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

/** An address that was tried that often is left alone. */
const maxAttempts = 10;

/** What is not begun by then is left for the next time, so that a sender that waits for every answer is not killed. */
const passMilliseconds = 30_000;

/**
 * What became of a CRB's invitations. `unsent` are tried again later, as long as it takes; `abandoned` were tried too
 * often, and wait for `resendInvitations`.
 */
export interface SendingResult {
  sent: number;
  unsent: number;
  abandoned: number;
}

type Outcome = keyof SendingResult;

/**
 * Sends what is unsent of a CRB's invitations, up to the first failure that all would share. Each is claimed before and
 * marked behind, so that whoever does the same at the same time, or again, sends none twice. Whether a mail went out is
 * open when nobody marked it, for want of an answer or because the sender was killed; then it goes out again, ten times
 * at most. Notices to those who are invited go along, in the same way. Once its association has ended nobody is written to.
 */
export async function sendInvitations(table: Table, crbId: string, clock: Clock = systemClock): Promise<SendingResult> {
  const result: SendingResult = { sent: 0, unsent: 0, abandoned: 0 };
  const listed = await table.get(unsentInvitationsKey(crbId), { consistent: true });
  // Consistently: the message follows the creation at once, and who is not found would never be invited.
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
  const withdrawn = { crbId, ...names, invitations, consentAt: crb?.withdrawal ? undefined : crb?.consent?.date };
  const notices = await sendNotices(table, withdrawn, { clock, end });
  if (!listed || result.unsent > 0) return result;
  if (notices === undefined) await unlist(table, crbId, listed.since);
  else if (notices > clock.now().getTime()) await postpone(table, crbId, listed.since, notices);
  return result;
}

/** Has the schedule ask for what is left from an instant on (epoch milliseconds); it is unsent since then, and not late before. */
async function postpone(table: Table, crbId: string, since: unknown, until: number): Promise<void> {
  const unsent: Unsent = { since: new Date(until).toISOString(), ask_at: until };
  await tryConditionalWrite(table.update(unsentInvitationsKey(crbId), { ...unsent }, unchanged("since", since)));
}

/** Notes that nothing is unsent, unless the operator has asked for what was given up meanwhile. */
async function unlist(table: Table, crbId: string, since: unknown): Promise<void> {
  await tryConditionalWrite(table.delete(unsentInvitationsKey(crbId), unchanged("since", since)));
}

/** What is not to be tried now; nothing when it is. */
function findSkipReason(
  { sent_at: sentAt, claimed_until: claimedUntil = 0, attempts = 0, ended }: Partial<InvitationSending>,
  now: number,
) {
  if (sentAt) return "sent";
  if (ended) return "abandoned";
  // Somebody is at it, who may find that the attempt was none.
  if (claimedUntil > now) return "unsent";
  return attempts >= maxAttempts ? "abandoned" : undefined;
}

/** The condition that an invitation has not ended. */
const notEnded = {
  condition: { expression: "attribute_not_exists(ended)" },
  holds: ({ ended }: Partial<InvitationSending>) => !ended,
};

/**
 * Tries to send an invitation, unless somebody else does. The attempt is counted before, so that one whose end nobody
 * learns is counted too, and taken back when it certainly was none.
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
    // No mail was tried: neither the table nor the address of the page is the invitation's fault.
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
  // Those of earlier attempts, of which nobody knows whether their mails went out.
  await endOlderTokens(table, made.token, clock);
  const sentAt = clock.now().toISOString();
  const plan = ({ sent_at }: Partial<InvitationSending>) => {
    if (sent_at) return undefined;
    const condition = { expression: "attribute_not_exists(sent_at)" };
    return { attributes: { sent_at: sentAt }, condition, event: "invitation.sent" as const };
  };
  await changeSending(table, crbId, id, plan, clock);
  return "sent";
}
