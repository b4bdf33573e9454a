import type { EventType } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";

/** What can be told of an invitation (docs/spec.md#events). */
export type InvitationEventType = Extract<EventType, "invitation.sent" | "invitation.failed">;

/** The event that tells of an invitation, to its CRB's service provider; none where there is no such CRB any more. */
export async function invitationEvents(
  table: Table,
  crbId: string,
  invitationId: string,
  type: InvitationEventType,
): Promise<NewEvent[]> {
  // Consistently: of a CRB that was created just now it must not be missing.
  const spId = (await readCrb(table, crbId, { consistent: true }))?.serviceProviderId;
  return spId ? [{ type, spId, crbId, data: { invitation_id: invitationId } }] : [];
}
