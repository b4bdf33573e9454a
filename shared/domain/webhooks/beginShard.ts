import { itemId, type Table } from "../../store/client.ts";
import { eventsPartition } from "../../store/keys/events.ts";
import { circuitBreakerKey, webhookPositionKey } from "../../store/keys/webhooks.ts";
import { DeliveryProbe, isCircuitOpen } from "./circuitBreaker.ts";
import { DeliveryLease, findCurrentFailures, toPosition } from "./deliveryLease.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import { type EventBatch, readNextEvents } from "./readNextEvents.ts";
import { requestDeliveries } from "./requestDeliveries.ts";
import type { ShardMessage } from "./webhookMessage.ts";

/** Why nothing is tried. */
export type SkipReason =
  | "current" // all is delivered
  | "held" // somebody else is at it
  | "waits" // the next attempt is not due
  | "disabled"
  | "gone"; // there is no such endpoint

/** What a worker has when it begins. */
export interface StartedDelivery {
  endpoint: Endpoint;
  lease: DeliveryLease;
  /** what waits behind its place */
  batch: EventBatch;
  /** where the endpoint is in trouble */
  probe: DeliveryProbe | undefined;
}

/** So long (seconds) a retry is put off that is due while the endpoint's one attempt is being made; that takes 10 s at most. */
const putOffSeconds = 15;

/**
 * Takes the position of a shard, where there is something to try. Of ten messages about ten events, which one of them has
 * delivered, the others write nothing.
 *
 * @param eventsAtOnce how many events are read
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
  // Before it is taken, which is conditional on the same place: what is stored from now on has a message of its own.
  const batch = await readNextEvents(table, eventsPartition(sp_id, shard), position.seq, eventsAtOnce);
  if (batch.seq === position.seq && batch.events.length === 0 && !batch.isFull) return "current";
  const trouble = items.get(itemId(keys[1]));
  const probe = isCircuitOpen(trouble, endpoint) ? await DeliveryProbe.take(table, endpoint_id, trouble) : undefined;
  if (isCircuitOpen(trouble, endpoint) && !probe) {
    // Nobody else would ask for this retry before a sweep comes to it, and that asks for one shard of the endpoint at a time.
    if (failures) await requestDeliveries([message], { delaySeconds: putOffSeconds });
    return "held";
  }
  const lease = await DeliveryLease.take(table, endpoint_id, shard, position);
  if (lease) return { endpoint, lease: lease, batch, probe: probe };
  await probe?.release();
  return "held";
}
