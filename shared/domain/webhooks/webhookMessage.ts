import * as z from "zod";
import { shardCount } from "../../store/eventLog/shards.ts";

/**
 * A message of the webhook queue. It says that a shard has new events, for one endpoint or for all endpoints of the service
 * provider. The message is only a hint: the worker reads the pending deliveries from the table.
 */
export const webhookMessage = z.strictObject({
  sp_id: z.uuid(),
  shard: z
    .int()
    .min(0)
    .max(shardCount - 1),
  endpoint_id: z.uuid().optional(),
});

export type WebhookMessage = z.output<typeof webhookMessage>;

/** A message for one endpoint. */
export type ShardMessage = WebhookMessage & { endpoint_id: string };
