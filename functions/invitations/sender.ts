import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { invitationMessage } from "../../shared/domain/invitations/invitationQueue.ts";
import { sendInvitations } from "../../shared/domain/invitations/sendInvitations.ts";
import { sendRequestedLinks } from "../../shared/domain/invitations/sendRequestedLinks.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";

/**
 * Processes messages of the invitation queue. The schedule retries failed mails at growing intervals. SQS delivers a
 * message again only if it could not be processed at all.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return processBatch(event, work, "invitations failed");
}

async function work(record: SQSRecord): Promise<void> {
  const message = invitationMessage.parse(JSON.parse(record.body));
  if ("link_for" in message) {
    const links = await sendRequestedLinks(serviceTable(), message);
    log.info("links", { message_id: record.messageId, links });
    return;
  }
  const { crb_id } = message;
  const result = await sendInvitations(serviceTable(), crb_id);
  log.info("invitations", { message_id: record.messageId, crb_id, ...result });
}
