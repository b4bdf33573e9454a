import * as z from "zod";
import { queueUrl, type SendOptions, sendMessages } from "../../platform/queue/sendMessages.ts";

/** The body of a message in the restoration queue, as JSON. A message restores one CRB, or continues its restoration. */
export const restorationMessage = z.strictObject({ crb_id: z.guid().toLowerCase() });

/** Requests the restoration of closed CRBs from the workers. */
export async function requestRestorations(crbIds: readonly string[], options?: SendOptions): Promise<void> {
  const messages = crbIds.map((crb_id) => ({ crb_id }));
  await sendMessages(queueUrl("RESTORATION_QUEUE_URL"), messages, options);
}
