import * as z from "zod";
import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, sendMessages } from "../../platform/queue/sendMessages.ts";

/** The body of a message in the queue of statements and access reports, as JSON: a worker makes the report. */
export const reportMessage = z.strictObject({ sp_id: z.guid(), report_id: z.guid() });

/** Requests a worker to make a report. A failure is only logged, because the sweeper sends the message again. */
export async function requestReportRun({ sp_id, id }: { sp_id: string; id: string }): Promise<void> {
  const message: z.output<typeof reportMessage> = { sp_id, report_id: id };
  await sendMessages(queueUrl("STATEMENT_QUEUE_URL"), [message]).catch((error) =>
    log.warn("access report not queued; the sweeper queues it", { ...message, error: describeError(error) }),
  );
}
