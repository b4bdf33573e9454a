import { describeError, log } from "../../platform/aws/log.ts";
import { queueUrl, type SendOptions, sendMessages } from "../../platform/queue/sendMessages.ts";
import { shardNumbers } from "../../store/eventLog/shards.ts";
import type { Endpoint } from "./endpoint.ts";
import type { WebhookMessage } from "./webhookMessage.ts";

/** Sends messages that request deliveries. A repeated message does no harm. */
export async function requestDeliveries(messages: readonly WebhookMessage[], options?: SendOptions): Promise<void> {
  await sendMessages(queueUrl("WEBHOOK_QUEUE_URL"), messages, options);
}

/** Maximum wait for the queue in milliseconds, for callers that do not need the message to be sent. */
const maxQueueWaitMs = 1_000;

/** Requests delivery of all pending events to an endpoint. If the queue fails, the next sweep requests the deliveries. */
export async function hastenDeliveries({ id: endpoint_id, spId: sp_id }: Pick<Endpoint, "id" | "spId">): Promise<void> {
  const messages = shardNumbers.map((shard) => ({ sp_id, endpoint_id, shard }));
  await requestDeliveries(messages, { within: maxQueueWaitMs }).catch((error) =>
    log.warn("deliveries not queued; the next sweep queues them", { sp_id, endpoint_id, error: describeError(error) }),
  );
}
