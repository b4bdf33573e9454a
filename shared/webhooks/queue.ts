import { queueUrl, type SendOptions, sendMessages } from "../queue/sendMessages.ts";
import { shards } from "../table/events/shards.ts";
import type { Endpoint } from "./endpoint.ts";
import type { WebhookMessage } from "./message.ts";

const messagesAtOnce = 10;

/** Asks for deliveries; what is asked for twice is done once. */
export async function requestDeliveries(messages: readonly WebhookMessage[], options?: SendOptions): Promise<void> {
  for (let i = 0; i < messages.length; i += messagesAtOnce) {
    await sendMessages(queueUrl("WEBHOOK_QUEUE_URL"), messages.slice(i, i + messagesAtOnce), options);
  }
}

/** Asks for deliveries to an endpoint of all that waits for it. */
export const requestAllDeliveries = ({ id: endpoint_id, spId: sp_id }: Pick<Endpoint, "id" | "spId">): Promise<void> =>
  requestDeliveries(Array.from({ length: shards }, (_, shard) => ({ sp_id, endpoint_id, shard })));
