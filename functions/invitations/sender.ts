import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { log } from "../../shared/api/log.ts";
import { invitationMessage } from "../../shared/invitations/queue.ts";
import { sendInvitations } from "../../shared/invitations/sendInvitations.ts";
import { serviceTable } from "../../shared/table/client.ts";

/** Works off messages of the invitation queue. A message whose invitations are not all sent comes again by itself. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return processPartialResponse(event, work, new BatchProcessor(EventType.SQS), { throwOnFullBatchFailure: false });
}

async function work(record: SQSRecord): Promise<void> {
  const { crb_id } = invitationMessage.parse(JSON.parse(record.body));
  const result = await sendInvitations(serviceTable(), crb_id);
  log.info("invitations", { message_id: record.messageId, crb_id, ...result });
  if (result.unsent > 0) throw new Error("not all invitations are sent");
}
