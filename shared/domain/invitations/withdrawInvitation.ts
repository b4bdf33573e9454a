import type { Table } from "../../store/client.ts";
import { invitationKey, invitationTokenKey } from "../../store/keys/invitations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";

/**
 * Withdraws an invitation: its links get 401 from now on, and no mail or new link is sent for it. A second call changes only
 * the date.
 */
export async function withdrawInvitation(table: Table, crbId: string, invitationId: string): Promise<void> {
  const values = { ":withdrawn": "withdrawn", ":now": table.clock.now().toISOString() };
  const expression =
    "SET ended = if_not_exists(ended, :withdrawn), ended_at = if_not_exists(ended_at, :now), withdrawn_at = :now";
  // The two writes are one transaction. Afterwards `newLink` creates no token, because its callers require that the
  // invitation has not ended.
  await retryOnConflict(table.clock, () =>
    table.transact([
      table.updateWrite(invitationKey(crbId, invitationId), { expression, values }),
      table.deleteWrite(invitationTokenKey(invitationId)),
    ]),
  );
}
