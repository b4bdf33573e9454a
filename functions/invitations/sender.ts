import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { log } from "../../shared/aws/log.ts";
import { invitationMessage } from "../../shared/invitations/queue.ts";
import { sendInvitations } from "../../shared/invitations/sendInvitations.ts";
import { serviceTable } from "../../shared/table/client.ts";

/**
 * Works off messages of the invitation queue. A message is done once everything was tried: what could not be sent is
 * asked for again by the schedule, at growing intervals. Only what cannot be tried comes again by itself.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return processPartialResponse(event, work, new BatchProcessor(EventType.SQS), { throwOnFullBatchFailure: false });
}

async function work(record: SQSRecord): Promise<void> {
  const { crb_id } = invitationMessage.parse(JSON.parse(record.body));
  const result = await sendInvitations(serviceTable(), crb_id);
  log.info("invitations", { message_id: record.messageId, crb_id, ...result });
}
