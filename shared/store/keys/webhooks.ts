import type { Key } from "./key.ts";

/** A webhook endpoint of a service provider. */
export function webhookEndpointKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#WEBHOOK`, sk: `ENDPOINT#${endpointId}` };
}

/** Which webhook endpoints a service provider has; the last item of their partition. */
export function webhookEndpointsKey(serviceProviderId: string): Key {
  return { pk: webhookEndpointKey(serviceProviderId, "").pk, sk: "ENDPOINTS" };
}

/** Leads to a webhook endpoint that is enabled, so that all of them can be listed. */
export function enabledWebhookKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: enabledWebhookPartition, sk: `${serviceProviderId}#${endpointId}` };
}

export const enabledWebhookPartition = "WEBHOOKS_ENABLED";

/** The endpoint that a range key of `enabledWebhookKey` names. */
export function parseEnabledWebhookKey(sk: string): { spId: string; endpointId: string } {
  const [spId = "", endpointId = ""] = sk.split("#");
  return { spId, endpointId };
}

/** How far a webhook endpoint has been told what a shard of the events holds. */
export function webhookPositionKey(endpointId: string, shard: number): Key {
  return { pk: `WEBHOOK#${endpointId}`, sk: `POSITION#${String(shard).padStart(2, "0")}` };
}

/** That deliveries to a webhook endpoint fail, so that it has one attempt at a time; beside its positions. */
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
 * How many attempts of a UTC day (yyyy-MM-dd) there are, by their hours.
 *
 * @param part of who makes them, so that no two meet in one item: a shard, or `TEST`
 */
export function deliveryCountKey(endpointId: string, day: string, part: number | "TEST"): Key {
  return { pk: `WEBHOOK#${endpointId}#DELIVERIES`, sk: `${day}#${part}` };
}

/** Where the sweep of webhook endpoints goes on that had no time for all of them. */
export const webhookSweepKey: Key = { pk: "WEBHOOK_SWEEP", sk: "WEBHOOK_SWEEP" };
