import { type Key, key, nameParts, ofProvider } from "./key.ts";

const endpointsPartition = (spId: string): string => ofProvider(spId, "WEBHOOK");

export const webhookEndpointKey = (spId: string, endpointId: string): Key =>
  key(endpointsPartition(spId), "ENDPOINT", endpointId);

/** The set of a service provider's webhook endpoints; it sorts last in the partition of the endpoints. */
export const webhookEndpointsKey = (spId: string): Key => key(endpointsPartition(spId), "ENDPOINTS");

export const enabledWebhookPartition = "WEBHOOKS_ENABLED";

/** An enabled webhook endpoint, in the list of all. */
export const enabledWebhookKey = (spId: string, endpointId: string): Key =>
  key(enabledWebhookPartition, spId, endpointId);

export const parseEnabledWebhookKey = (sk: string) => nameParts(sk, "spId", "endpointId");

export const webhookPositionKey = (endpointId: string, shard: number): Key =>
  key(`WEBHOOK#${endpointId}`, "POSITION", String(shard).padStart(2, "0"));

export const circuitBreakerKey = (endpointId: string): Key => key(`WEBHOOK#${endpointId}`, "TROUBLE");

/** An attempt to deliver an event to a webhook endpoint. */
export const deliveryKey = (endpointId: string, date: string, deliveryId: string): Key =>
  key(`WEBHOOK#${endpointId}#DELIVERY`, date, deliveryId);

/** Delivery attempts on a UTC day, by hour. @param part a shard or `TEST`, so that parallel workers do not conflict */
export const deliveryCountKey = (endpointId: string, day: string, part: number | "TEST"): Key =>
  key(`WEBHOOK#${endpointId}#DELIVERIES`, day, String(part));

/** The place at which the next sweep of webhook endpoints continues, if the last sweep ran out of time. */
export const webhookSweepKey: Key = { pk: "WEBHOOK_SWEEP", sk: "WEBHOOK_SWEEP" };
