import * as z from "zod";
import { shardCount } from "../../store/eventLog/shards.ts";

/**
 * A message of the webhook queue: a shard of a service provider's events has news, for one of its endpoints or for all that
 * it has. It is a hint: whoever gets it looks at what there is to do.
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

/** A message that is about one endpoint. */
export type ShardMessage = WebhookMessage & { endpoint_id: string };
