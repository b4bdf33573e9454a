import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { ServiceError } from "../../api/errors.ts";
import { awsRequests } from "../aws/awsRequests.ts";
import { reportOutages } from "../aws/reportOutages.ts";

let client: SQSClient | undefined;

export interface SendOptions {
  /** delay before the messages are delivered: whole seconds, at most `maxDelaySeconds` */
  delaySeconds?: number;
  /** timeout of each call in milliseconds, including the client's retries */
  within?: number;
}

/** The maximum message delay of SQS. */
export const maxDelaySeconds = 900;

/** Maximum number of messages in one call of SQS. */
const maxMessages = 10;

/**
 * Sends messages to a queue.
 *
 * @param queueUrl the URL of the queue. On all stages, including the local one, its host is also the endpoint for the
 * request
 * @param bodies sent as JSON, in calls of at most ten
 * @throws ServiceError "unavailable" if SQS throttles, fails or cannot be reached, after the client's own retries
 */
export async function sendMessages(
  queueUrl: string,
  bodies: readonly object[],
  { delaySeconds, within }: SendOptions = {},
): Promise<void> {
  if (!client) {
    client = new SQSClient({ requestHandler: awsRequests() });
    reportOutages(client);
  }
  for (let i = 0; i < bodies.length; i += maxMessages) {
    const Entries = bodies
      .slice(i, i + maxMessages)
      .map((body, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(body),
        ...(delaySeconds && { DelaySeconds: delaySeconds }),
      }));
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }),
      within ? { abortSignal: AbortSignal.timeout(within) } : {},
    );
    if (Failed.length === 0) continue;
    const cause = new Error(`The queue rejected ${Failed.length} of ${Entries.length} messages.`);
    throw Failed.some(({ SenderFault }) => SenderFault) ? cause : new ServiceError("unavailable", { cause });
  }
}

/** Reads the URL of a queue from an environment variable. */
export function queueUrl(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set`);
  return url;
}
