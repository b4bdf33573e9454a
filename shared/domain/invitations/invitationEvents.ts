import type { EventType } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";

/** The events of an invitation (docs/spec.md#events). */
export type InvitationEventType = Extract<EventType, "invitation.sent" | "invitation.failed">;

/** The event for the CRB's service provider; none if the CRB no longer exists. */
export async function invitationEvents(
  table: Table,
  crbId: string,
  invitationId: string,
  type: InvitationEventType,
): Promise<NewEvent[]> {
  // A consistent read also finds a CRB that was just created.
  const spId = (await readCrb(table, crbId, { consistent: true }))?.serviceProviderId;
  return spId ? [{ type, spId, crbId, data: { invitation_id: invitationId } }] : [];
}
