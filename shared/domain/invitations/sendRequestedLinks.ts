import { describeError, log } from "../../platform/aws/log.ts";
import type { Item, Table } from "../../store/client.ts";
import { readCrb, readServiceProvider } from "../../store/crbs.ts";
import { invitationKey, invitedAddressKey, linkRequestsKey } from "../../store/keys/invitations.ts";
import { type Clock, systemClock, utcDay } from "../../time/clock.ts";
import type { InvitationSending } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import { type LinkRequest, requestLinks } from "./invitationQueue.ts";
import { readInvitations } from "./invitations.ts";
import { invitationMail } from "./mail.ts";
import { newLink } from "./newLink.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** Maximum CRBs per message, so that a sender has time for their mails. The next CRBs get another message. */
const maxCrbs = 50;

/** Requests fulfilled for an address per UTC day (docs/spec.md#invitation-tokens). */
const maxPerDay = 5;
const daySeconds = 24 * 60 * 60;

/**
 * Sends the requested new links (docs/spec.md#invitation-tokens): one for each CRB that invited the address, or one for
 * the named CRB. Fulfills five requests per address and day. The requester does not learn whether links were sent.
 * Requests for addresses without an invitation do not count. If the queue delivers a message again, the mail is sent
 * again only if the result of the first mail is unknown.
 *
 * @returns the number of links sent
 * @throws errors of SES if no mail can be sent now, or if it is unknown whether a mail was sent; the queue delivers the
 * message again
 */
export async function sendRequestedLinks(
  table: Table,
  message: LinkRequest,
  clock: Clock = systemClock,
): Promise<number> {
  const { link_for: address, request, crb_id: crbId, after } = message;
  const { pk } = invitedAddressKey(address, "");
  const invited = crbId
    ? [await table.get(invitedAddressKey(address, crbId), { consistent: true })]
    : await table.queryPartition(pk, { consistent: true, after, limit: maxCrbs });
  const items = invited.filter((item) => item !== undefined);
  if (items.length === 0 || !(await isAmongFirst(table, address, request, clock))) return 0;
  let sent = 0;
  for (const item of items) if (await sendLink(table, item, request, clock)) sent++;
  if (items.length === maxCrbs) await requestLinks({ ...message, after: items.at(-1)?.sk });
  return sent;
}

/**
 * Counts a request for an address, once even if its message is delivered again. Returns whether the request is within
 * the day's limit.
 */
async function isAmongFirst(table: Table, address: string, request: string, clock: Clock): Promise<boolean> {
  const day = utcDay(clock.now());
  const update = {
    expression: "SET expires = :expires ADD requests :requests",
    values: {
      ":expires": Date.parse(day) / 1_000 + 2 * daySeconds,
      ":requests": new Set([request]),
      ":request": request,
      ":most": maxPerDay,
    },
  };
  const condition = "attribute_not_exists(requests) OR contains(requests, :request) OR size(requests) < :most";
  return (await table.change(linkRequestsKey(address, day), update, condition)).done;
}

async function sendLink(table: Table, { sk: crbId, ...item }: Item, request: string, clock: Clock): Promise<boolean> {
  const crb = await readCrb(table, crbId, { consistent: true });
  const inviter = crb && (await readServiceProvider(table, crb.serviceProviderId));
  const invitation = (await readInvitations(table, crbId)).find(({ id }) => id === item.invitation_id);
  if (!inviter || !invitation) return false;
  const made = await newLink(table, { crbId, spId: inviter.id, invitation }, {}, clock, unanswered(request));
  if (!made) return false;
  const { link } = made;
  const mail = invitationMail({ business: crb.record.name, inviter: inviter.name, link, isRequested: true });
  try {
    await sendMail(invitation.email, mail, mailTags(crbId, invitation.id));
  } catch (error) {
    const failure = mailFailure(error);
    const facts = { crb_id: crbId, invitation_id: invitation.id, failure };
    log.error("link not sent", { ...facts, error: describeError(error) });
    if (failure === "refused") return false;
    throw error;
  }
  // The older links stay valid until the user makes a change with this one: a stranger may have requested it.
  await table.update(invitationKey(crbId, invitation.id), { link_request: request });
  return true;
}

/** The condition that an invitation has not ended and the request is not fulfilled. */
const unanswered = (request: string) => ({
  condition: {
    expression: "attribute_not_exists(ended) AND (attribute_not_exists(link_request) OR link_request <> :request)",
    values: { ":request": request },
  },
  holds: ({ ended, link_request }: Partial<InvitationSending>) => !ended && link_request !== request,
});
