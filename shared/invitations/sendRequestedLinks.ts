import { endOlderTokens } from "../access/invitationTokens.ts";
import { describeError, log } from "../aws/log.ts";
import type { Item, Table } from "../table/client.ts";
import { readCrb, readServiceProvider } from "../table/crbs.ts";
import { invitationKey, invitedAddressKey } from "../table/keys.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { Sending } from "./changeSending.ts";
import { mailTags } from "./endInvitation.ts";
import { readInvitations } from "./invitations.ts";
import { invitationMail } from "./mail.ts";
import { newLink } from "./newLink.ts";
import type { LinkRequest } from "./queue.ts";
import { mailFailure, sendMail } from "./sendMail.ts";

/** Somebody who is invited for more CRBs names the one that is meant. */
const mostLinks = 50;

/**
 * Sends new links to whoever has asked for them (contract 14.4): one for each CRB for which the address is invited, or for
 * the one that is named. Nobody is told whether there are any. A request that comes twice is answered once, but where nobody
 * knows whether its mail went out.
 *
 * @returns how many were sent
 * @throws what SES says where nothing can be sent now, or may not have been sent: the request is to come again
 */
export async function sendRequestedLinks(
  table: Table,
  { link_for: address, request, crb_id: crbId }: LinkRequest,
  clock: Clock = systemClock,
): Promise<number> {
  const { pk } = invitedAddressKey(address, "");
  const invited = crbId
    ? [await table.get(invitedAddressKey(address, crbId), { consistent: true })]
    : await table.query({
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": pk },
        ConsistentRead: true,
        Limit: mostLinks,
      });
  let sent = 0;
  for (const item of invited) if (item && (await sendLink(table, item, request, clock))) sent++;
  return sent;
}

async function sendLink(table: Table, { sk: crbId, ...item }: Item, request: string, clock: Clock): Promise<boolean> {
  const crb = await readCrb(table, crbId);
  const inviter = crb && (await readServiceProvider(table, crb.serviceProviderId));
  const invitation = (await readInvitations(table, crbId)).find(({ id }) => id === item.invitation_id);
  if (!inviter || !invitation) return false;
  const made = await newLink(table, { crbId, spId: inviter.id, invitation }, {}, clock, unanswered(request));
  if (!made) return false;
  const { link, token } = made;
  const mail = invitationMail({ business: crb.record.name, inviter: inviter.name, link, isAskedFor: true });
  try {
    await sendMail(invitation.email, mail, mailTags(crbId, invitation.id));
  } catch (error) {
    const failure = mailFailure(error);
    const facts = { crb_id: crbId, invitation_id: invitation.id, failure };
    log.error("link not sent", { ...facts, error: describeError(error) });
    if (failure === "refused") return false;
    throw error;
  }
  // Only now: while the mail may not be out the links before it stay good, and the request is answered again.
  await endOlderTokens(table, token, clock);
  await table.update(invitationKey(crbId, invitation.id), { link_request: request });
  return true;
}

/** That an invitation has not ended, and a request was not answered. */
const unanswered = (request: string) => ({
  condition: {
    expression: "attribute_not_exists(ended) AND (attribute_not_exists(link_request) OR link_request <> :request)",
    values: { ":request": request },
  },
  holds: ({ ended, link_request }: Partial<Sending>) => !ended && link_request !== request,
});
