import type { Key } from "./key.ts";

const endpointItem = (spId: string, sk: string): Key => ({ pk: `SERVICE_PROVIDER#${spId}#WEBHOOK`, sk });

export const webhookEndpointKey = (serviceProviderId: string, endpointId: string): Key =>
  endpointItem(serviceProviderId, `ENDPOINT#${endpointId}`);

/** The set of a service provider's webhook endpoints; it sorts last in the partition of the endpoints. */
export const webhookEndpointsKey = (serviceProviderId: string): Key => endpointItem(serviceProviderId, "ENDPOINTS");

export const enabledWebhookPartition = "WEBHOOKS_ENABLED";

/** An enabled webhook endpoint, in the list of all. */
export const enabledWebhookKey = (serviceProviderId: string, endpointId: string): Key => ({
  pk: enabledWebhookPartition,
  sk: `${serviceProviderId}#${endpointId}`,
});

/** The endpoint in a range key of `enabledWebhookKey`. */
export function parseEnabledWebhookKey(sk: string): { spId: string; endpointId: string } {
  const [spId = "", endpointId = ""] = sk.split("#");
  return { spId, endpointId };
}

const deliveryState = (endpointId: string, sk: string): Key => ({ pk: `WEBHOOK#${endpointId}`, sk });

export const webhookPositionKey = (endpointId: string, shard: number): Key =>
  deliveryState(endpointId, `POSITION#${String(shard).padStart(2, "0")}`);

export const circuitBreakerKey = (endpointId: string): Key => deliveryState(endpointId, "TROUBLE");

/**
 * An attempt to deliver an event to a webhook endpoint.
 *
 * @param date ISO 8601 UTC, so that the range keys sort by time
 */
export const deliveryKey = (endpointId: string, date: string, deliveryId: string): Key => ({
  pk: `WEBHOOK#${endpointId}#DELIVERY`,
  sk: `${date}#${deliveryId}`,
});

/**
 * The number of delivery attempts on a UTC day (yyyy-MM-dd), by hour.
 *
 * @param part a shard, or `TEST`. Each part has its own item, so that parallel workers do not conflict
 */
export const deliveryCountKey = (endpointId: string, day: string, part: number | "TEST"): Key => ({
  pk: `WEBHOOK#${endpointId}#DELIVERIES`,
  sk: `${day}#${part}`,
});

/** The place at which the next sweep of webhook endpoints continues, if the last sweep ran out of time. */
export const webhookSweepKey: Key = { pk: "WEBHOOK_SWEEP", sk: "WEBHOOK_SWEEP" };
