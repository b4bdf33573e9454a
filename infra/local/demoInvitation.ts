import { randomUUID } from "node:crypto";
import type * as z from "zod";
import type { InvitationSending } from "../../shared/domain/invitations/changeSending.ts";
import type { invitationMessage } from "../../shared/domain/invitations/invitationQueue.ts";
import { invitationsOf, invitationWrites } from "../../shared/domain/invitations/invitations.ts";
import type { Table } from "../../shared/store/client.ts";
import { invitationKey, invitationsKey, linkRequestsKey } from "../../shared/store/keys/invitations.ts";
import { systemClock, utcDay } from "../../shared/time/clock.ts";
import { demoBusinesses } from "./demoBusinesses.ts";
import type { Mail } from "./mailbox.ts";

/** The invited person of the demo's business without a POS. */
export interface DemoInvitation {
  crb_id: string;
  email: string;
  /** The person's credential, valid until another link is sent. */
  invitation_token: string;
  /** The link in the mail. */
  link: string;
}

const user = { email: "casey.nolan@mesaverde.example.com", firstName: "Casey", lastName: "Nolan" };
const crbId = demoBusinesses.find(({ posType }) => posType === null)?.record.id ?? "";
const invitations = invitationsOf(crbId, [user]);

/** Invites the demo's user, unless an earlier start has sent the invitation. */
export async function prepareInvitation(table: Table, now: Date): Promise<void> {
  if (await table.get(invitationsKey(crbId), { consistent: true })) return;
  await table.transact(invitationWrites(table, crbId, invitations, now));
}

/**
 * Sends a mail with a new link to the mailbox, which is empty when a stage starts.
 *
 * @param send processes a message of the invitation queue
 */
export async function mailInvitation(
  table: Table,
  send: (message: z.input<typeof invitationMessage>) => Promise<unknown>,
  mailbox: string,
): Promise<DemoInvitation> {
  const key = invitationKey(crbId, invitations[0]?.id ?? "");
  const { sent_at, address } = ((await table.get(key, { consistent: true })) ?? {}) as Partial<InvitationSending>;
  const again = sent_at && address && { link_for: address, request: randomUUID(), crb_id: crbId };
  // Resets the daily limit for links: a stage may start more often than a person may request one.
  if (again) await table.delete(linkRequestsKey(address, utcDay(systemClock.now())));
  await send(again || { crb_id: crbId });
  const { emails } = (await (await fetch(`${mailbox}/store`)).json()) as { emails: Mail[] };
  const mail = emails.findLast(({ destination }) => destination.to.includes(user.email));
  const [link = "", token = ""] = /^http\S+#(\S+)$/m.exec(mail?.body.text ?? "") ?? [];
  return { crb_id: crbId, email: user.email, invitation_token: token, link };
}
