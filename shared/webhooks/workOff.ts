import type { Table } from "../table/client.ts";
import { type DeliverOptions, deliverShard, type ShardResult } from "./deliverShard.ts";
import { readEndpoints } from "./endpoint.ts";
import type { WebhookMessage } from "./message.ts";
import { requestDeliveries } from "./queue.ts";

/**
 * Works off a message. One that is about all endpoints of a service provider becomes one for each, so that they do not wait
 * for each other; where there is but one, it is delivered at once.
 *
 * @returns undefined where others are asked, or there is nobody to deliver to
 */
export async function workOff(
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
