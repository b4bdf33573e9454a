import * as z from "zod";
import { queueUrl, sendMessages } from "../../platform/queue/sendMessages.ts";

/** The body of a message in the restoration queue, as JSON. A message restores one CRB, or continues its restoration. */
export const restorationMessage = z.strictObject({ crb_id: z.guid().toLowerCase() });

/** Maximum number of messages in one call of SQS. */
const messagesAtOnce = 10;

/** Requests the restoration of closed CRBs from the workers. */
export async function requestRestorations(crbIds: readonly string[]): Promise<void> {
  for (let i = 0; i < crbIds.length; i += messagesAtOnce) {
    const messages = crbIds.slice(i, i + messagesAtOnce).map((crb_id) => ({ crb_id }));
    await sendMessages(queueUrl("RESTORATION_QUEUE_URL"), messages);
  }
}
