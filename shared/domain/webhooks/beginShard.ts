import { itemId, type Table } from "../../store/client.ts";
import { eventsPartition } from "../../store/keys/events.ts";
import { circuitBreakerKey, webhookPositionKey } from "../../store/keys/webhooks.ts";
import { DeliveryProbe, isCircuitOpen } from "./circuitBreaker.ts";
import { DeliveryLease, findCurrentFailures, toPosition } from "./deliveryLease.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import { type EventBatch, readNextEvents } from "./readNextEvents.ts";
import { requestDeliveries } from "./requestDeliveries.ts";
import type { ShardMessage } from "./webhookMessage.ts";

/** Why the worker makes no attempt. */
export type SkipReason =
  | "current" // all events are delivered
  | "held" // another worker has the lease on the shard, or the probe of the endpoint
  | "waits" // the next attempt is not due
  | "disabled"
  | "gone"; // the endpoint does not exist

export interface StartedDelivery {
  endpoint: Endpoint;
  lease: DeliveryLease;
  /** the next events after the delivery position */
  batch: EventBatch;
  /** set if the endpoint's circuit breaker is open: the worker may make one attempt */
  probe: DeliveryProbe | undefined;
}

/** Delay in seconds for a retry that is due while another worker probes the endpoint. A probe takes at most 10 s. */
const putOffSeconds = 15;

/**
 * Acquires the lease on a shard if an event may have to be delivered; otherwise it writes nothing. For example, ten messages
 * announce ten events, and the worker of the first message delivers all ten events. The workers of the other nine messages then
 * write nothing.
 *
 * @param eventsAtOnce maximum number of events read
 */
export async function beginShard(
  table: Table,
  message: ShardMessage,
  eventsAtOnce?: number,
): Promise<SkipReason | StartedDelivery> {
  const { sp_id, endpoint_id, shard } = message;
  const endpoint = await readEndpoint(table, sp_id, endpoint_id);
  if (!endpoint) return "gone";
  if (!endpoint.enabled) return "disabled";
  const keys = [webhookPositionKey(endpoint_id, shard), circuitBreakerKey(endpoint_id)] as const;
  const items = await table.batchGet(keys, { consistent: true });
  table.checkClock();
  const item = items.get(itemId(keys[0]));
  if (!item) return "gone";
  const position = toPosition(item);
  const now = table.clock.now().getTime();
  if (position.heldUntil > now) return "held";
  const failures = findCurrentFailures(position, endpoint);
  if (failures && Date.parse(failures.nextAt) > now) return "waits";
  // Read the events before acquiring the lease. `DeliveryLease.take` fails if the position changes in between. Events stored
  // after this read have their own message.
  const batch = await readNextEvents(table, eventsPartition(sp_id, shard), position.seq, eventsAtOnce);
  if (batch.seq === position.seq && batch.events.length === 0 && !batch.isFull) return "current";
  const trouble = items.get(itemId(keys[1]));
  const probe = isCircuitOpen(trouble, endpoint) ? await DeliveryProbe.take(table, endpoint_id, trouble) : undefined;
  if (isCircuitOpen(trouble, endpoint) && !probe) {
    // Request this retry again. Otherwise the retry would wait for a sweep, and a sweep requests only one shard of an endpoint
    // whose circuit breaker is open.
    if (failures) await requestDeliveries([message], { delaySeconds: putOffSeconds });
    return "held";
  }
  const lease = await DeliveryLease.take(table, endpoint_id, shard, position);
  if (lease) return { endpoint, lease, batch, probe };
  await probe?.release();
  return "held";
}
