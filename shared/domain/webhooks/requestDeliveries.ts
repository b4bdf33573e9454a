import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, type SendOptions, sendMessages } from "../../platform/queue/sendMessages.ts";
import { shardNumbers } from "../../store/eventLog/shards.ts";
import type { Endpoint } from "./endpoint.ts";
import type { WebhookMessage } from "./webhookMessage.ts";

const messagesAtOnce = 10;

/** Asks for deliveries; what is asked for twice is done once. */
export async function requestDeliveries(messages: readonly WebhookMessage[], options?: SendOptions): Promise<void> {
  for (let i = 0; i < messages.length; i += messagesAtOnce) {
    await sendMessages(queueUrl("WEBHOOK_QUEUE_URL"), messages.slice(i, i + messagesAtOnce), options);
  }
}

/** How long (milliseconds) somebody who need not wait for the queue does so. */
const maxQueueWaitMs = 1_000;

/** Asks for deliveries to an endpoint of all that waits for it. What is not heard is found by the next sweep. */
export async function hastenDeliveries({ id: endpoint_id, spId: sp_id }: Pick<Endpoint, "id" | "spId">): Promise<void> {
  const messages = shardNumbers.map((shard) => ({ sp_id, endpoint_id, shard }));
  await requestDeliveries(messages, { within: maxQueueWaitMs }).catch((error) =>
    log.warn("deliveries wait for the next sweep", { sp_id, endpoint_id, error: describeError(error) }),
  );
}
