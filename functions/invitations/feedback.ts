import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { endInvitation, endOf, mailEvent } from "../../shared/domain/invitations/endInvitation.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { processBatch } from "../../shared/platform/queue/processBatch.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { systemClock } from "../../shared/time/clock.ts";

/** Processes SES notifications about sent mails. Permanent bounces and complaints end the invitation of the mail. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return processBatch(event, work, "mail event failed");
}

/** The message that SES publishes once, to check its permission to publish. */
const trial = "Successfully validated SNS topic for Amazon SES event publishing";

async function work(record: SQSRecord): Promise<void> {
  if (record.body.startsWith(trial)) return;
  const report = mailEvent.parse(JSON.parse(record.body));
  const [crbId] = report.mail.tags.crb_id;
  const [invitationId] = report.mail.tags.invitation_id;
  const ended = endOf(report);
  if (ended) await endInvitation(serviceTable(), crbId, invitationId, ended, systemClock.now().toISOString());
  const facts = { crb_id: crbId, invitation_id: invitationId, ended: ended ?? "no" };
  log.info("mail event", { message_id: record.messageId, ...facts });
}
