import { newInvitationToken } from "../../auth/invitationTokens.ts";
import { digestOf } from "../../auth/secrets.ts";
import { type Condition, exists, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { invitationKey, invitedAddressKey } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { addressDigest } from "./addressDigest.ts";
import type { InvitationSending } from "./changeSending.ts";
import type { Invitation } from "./invitations.ts";

/** A link, which is mailed and never stored, with the invitation and the digest of its token for `endOlderTokens`. */
interface Link {
  link: string;
  clientId: string;
  digest: string;
}

/**
 * Creates a link for an invitation, valid for 30 days. Older links stay valid until `endOlderTokens` ends them. Also stores
 * an item that links the address to the invitation. The token comes after `#`, so that no server or log receives it
 * (docs/spec.md#invitation-tokens).
 *
 * @param sending attributes of the sending state to store with it
 * @param mayStill condition on the stored sending state; no link is created unless the condition holds
 * @returns undefined if the association has ended or the condition does not hold
 */
export async function newLink(
  table: Table,
  { crbId, spId, invitation }: { crbId: string; spId: string; invitation: Invitation },
  sending: Partial<InvitationSending>,
  clock: Clock,
  mayStill?: { condition: Condition; holds: (stored: Partial<InvitationSending>) => boolean },
): Promise<Link | undefined> {
  const association = associationKey(spId, crbId);
  const key = invitationKey(crbId, invitation.id);
  const address = addressDigest(invitation.email);
  const link = new URL(process.env.APP_URL ?? "");
  return retryOnConflict(clock, async () => {
    if (!(await table.get(association, { consistent: true }))) return undefined;
    const stored = (await table.get(key, { consistent: true })) as Partial<InvitationSending> | undefined;
    if (mayStill && !mayStill.holds(stored ?? {})) return undefined;
    const { token, write } = await newInvitationToken(table, { invitationId: invitation.id, crbId, spId }, clock.now());
    await table.transact([
      // The end of an association deletes all tokens, so no token may be added afterwards.
      table.checkWrite(association, exists),
      write,
      table.putWrite({ ...invitedAddressKey(address, crbId), invitation_id: invitation.id }),
      table.setWrite(key, { ...sending, address }, mayStill?.condition),
    ]);
    link.hash = token;
    return { link: link.href, clientId: invitation.id, digest: digestOf(token) };
  });
}
