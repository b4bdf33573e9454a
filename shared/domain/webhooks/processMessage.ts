import { describeError, log } from "../../platform/aws/log.ts";
import type { Table } from "../../store/client.ts";
import { type DeliverOptions, deliverShard, type ShardResult } from "./deliverShard.ts";
import { readEndpoints } from "./endpoint.ts";
import { requestDeliveries } from "./requestDeliveries.ts";
import type { WebhookMessage } from "./webhookMessage.ts";
import { measureResult } from "./webhookMetrics.ts";

/**
 * Processes a message, and records the result in the log and the metrics. A message for one endpoint is processed at once. A
 * message for all endpoints of a service provider is split into one message per endpoint, so that endpoints do not wait for
 * each other.
 *
 * @param options.messageId the id of the message, for the log
 * @throws any error that prevented the attempt; the queue then delivers the message again
 */
export async function processMessage(
  table: Table,
  message: WebhookMessage,
  { messageId: message_id, ...options }: DeliverOptions & { messageId?: string },
): Promise<void> {
  const started = performance.now();
  try {
    const result = await deliver(table, message, options);
    if (!result) return;
    measureResult(result);
    const level = result.failure ? "warn" : "info";
    log[level]("webhook", { message_id, ...message, ...result, duration_ms: Math.round(performance.now() - started) });
  } catch (error) {
    log.error("webhook failed", { message_id, ...message, error: describeError(error) });
    throw error;
  }
}

/** @returns undefined if the message was split into several, or no endpoint is enabled */
async function deliver(
  table: Table,
  { sp_id, shard, endpoint_id }: WebhookMessage,
  options: DeliverOptions,
): Promise<ShardResult | undefined> {
  if (endpoint_id) return deliverShard(table, { sp_id, shard, endpoint_id }, options);
  const [first, ...others] = (await readEndpoints(table, sp_id)).filter(({ enabled }) => enabled);
  if (!first) return undefined;
  if (others.length === 0) return deliverShard(table, { sp_id, shard, endpoint_id: first.id }, options);
  await requestDeliveries([first, ...others].map(({ id }) => ({ sp_id, shard, endpoint_id: id })));
  return undefined;
}
