import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { awsRequests } from "../aws/awsRequests.ts";

let client: SQSClient | undefined;

export interface SendOptions {
  /** until they may be received: whole seconds, 900 (`maxDelaySeconds`) at most */
  delaySeconds?: number;
  /** milliseconds that it may take, the client's own retries included */
  within?: number;
}

/** The longest that SQS holds a message back. */
export const maxDelaySeconds = 900;

/**
 * Puts messages into a queue.
 *
 * @param queueUrl of the queue; it says where the queue is, also on the local stage
 * @param bodies ten at most, sent as JSON
 */
export async function sendMessages(
  queueUrl: string,
  bodies: readonly object[],
  { delaySeconds, within }: SendOptions = {},
): Promise<void> {
  client ??= new SQSClient({ requestHandler: awsRequests() });
  const { Failed = [] } = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: queueUrl,
      Entries: bodies.map((body, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(body),
        ...(delaySeconds && { DelaySeconds: delaySeconds }),
      })),
    }),
    within ? { abortSignal: AbortSignal.timeout(within) } : {},
  );
  if (Failed.length > 0) throw new Error(`the queue refused ${Failed.length} of ${bodies.length} messages`);
}

/** The URL of a queue, from the environment variable that holds it. */
export function queueUrl(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set`);
  return url;
}
