import * as z from "zod";
import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, sendMessages } from "../../platform/queue/sendMessages.ts";

/** The body of a message in the queue of statements, as JSON: asks a worker to make the statement. */
export const statementMessage = z.strictObject({ crb_id: z.guid(), statement_id: z.guid() });

/** Asks a worker to make a statement. A failure is only logged, because the sweeper sends the message again. */
export async function requestStatementRun({ crb_id, id }: { crb_id: string; id: string }): Promise<void> {
  const message: z.output<typeof statementMessage> = { crb_id, statement_id: id };
  await sendMessages(queueUrl("STATEMENT_QUEUE_URL"), [message]).catch((error) =>
    log.warn("statement not queued; the sweeper queues it", { ...message, error: describeError(error) }),
  );
}
