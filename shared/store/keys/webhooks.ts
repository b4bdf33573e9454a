import type { Key } from "./key.ts";

/** A webhook endpoint of a service provider. */
export function webhookEndpointKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#WEBHOOK`, sk: `ENDPOINT#${endpointId}` };
}

/** The set of a service provider's webhook endpoints; it sorts last in the partition of the endpoints. */
export function webhookEndpointsKey(serviceProviderId: string): Key {
  return { pk: webhookEndpointKey(serviceProviderId, "").pk, sk: "ENDPOINTS" };
}

/** An enabled webhook endpoint. The partition lists all enabled webhook endpoints. */
export function enabledWebhookKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: enabledWebhookPartition, sk: `${serviceProviderId}#${endpointId}` };
}

export const enabledWebhookPartition = "WEBHOOKS_ENABLED";

/** The endpoint in a range key of `enabledWebhookKey`. */
export function parseEnabledWebhookKey(sk: string): { spId: string; endpointId: string } {
  const [spId = "", endpointId = ""] = sk.split("#");
  return { spId, endpointId };
}

/** A webhook endpoint's delivery position in one shard. */
export function webhookPositionKey(endpointId: string, shard: number): Key {
  return { pk: `WEBHOOK#${endpointId}`, sk: `POSITION#${String(shard).padStart(2, "0")}` };
}

/** The circuit breaker of a webhook endpoint, in the partition of its delivery positions. */
export function circuitBreakerKey(endpointId: string): Key {
  return { pk: webhookPositionKey(endpointId, 0).pk, sk: "TROUBLE" };
}

/**
 * An attempt to deliver an event to a webhook endpoint.
 *
 * @param date ISO 8601 UTC, so that the range keys sort by time
 */
export function deliveryKey(endpointId: string, date: string, deliveryId: string): Key {
  return { pk: `WEBHOOK#${endpointId}#DELIVERY`, sk: `${date}#${deliveryId}` };
}

/**
 * The number of delivery attempts on a UTC day (yyyy-MM-dd), by hour.
 *
 * @param part a shard, or `TEST`. Each part has its own item, so that parallel workers do not conflict
 */
export function deliveryCountKey(endpointId: string, day: string, part: number | "TEST"): Key {
  return { pk: `WEBHOOK#${endpointId}#DELIVERIES`, sk: `${day}#${part}` };
}

/** The place at which the next sweep of webhook endpoints continues, if the last sweep ran out of time. */
export const webhookSweepKey: Key = { pk: "WEBHOOK_SWEEP", sk: "WEBHOOK_SWEEP" };
