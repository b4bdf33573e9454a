import * as z from "zod";
import { queueUrl, sendMessages } from "../queue/sendMessages.ts";

/** What asks for the invitations of a CRB to be sent: the body of a message in the invitation queue, as JSON. */
export const invitationMessage = z.strictObject({ crb_id: z.guid().toLowerCase() });

/** Asks for what is unsent of a CRB's invitations to be sent. */
export async function requestInvitations(crbId: string): Promise<void> {
  const message: z.input<typeof invitationMessage> = { crb_id: crbId };
  await sendMessages(queueUrl("INVITATION_QUEUE_URL"), [message]);
}
