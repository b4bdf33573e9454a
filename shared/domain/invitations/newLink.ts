import { newInvitationToken } from "../../auth/invitationTokens.ts";
import { type Condition, exists, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { invitationKey, invitedAddressKey } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { addressDigest } from "./addressDigest.ts";
import type { InvitationSending } from "./changeSending.ts";
import type { Invitation } from "./invitations.ts";

/** A link, and the token in it: to be mailed, and never stored. */
interface Link {
  link: string;
  token: string;
}

/**
 * Makes a new link of an invitation, good for 30 days: the ones before it end by `endOlderTokens`, once its mail was taken.
 * With it is stored what leads from its address to the invitation. The token stands behind `#`, so that no server or log
 * sees it (docs/spec.md#invitation-tokens).
 *
 * @param sending what is stored with it of the invitation's sending
 * @param mayStill is given that as stored: without its consent there is no link
 * @returns undefined where the association has ended, or the invitation may not be sent
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
      // An association that ends takes all tokens with it.
      table.checkWrite(association, exists),
      write,
      table.putWrite({ ...invitedAddressKey(address, crbId), invitation_id: invitation.id }),
      table.setWrite(key, { ...sending, address }, mayStill?.condition),
    ]);
    link.hash = token;
    return { link: link.href, token };
  });
}
