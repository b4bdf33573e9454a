import { randomUUID } from "node:crypto";
import type { WebhookDelivery } from "../../api/schemas/webhookEndpoint.ts";
import type { Clock } from "../../time/clock.ts";
import type { Endpoint } from "./endpoint.ts";
import type { SequencedEvent } from "./readNextEvents.ts";
import { type DeliveryOutcome, type DeliveryRequest, sendDelivery } from "./sendDelivery.ts";

/** Sends one request to an endpoint. The simulation passes its own sender. */
export type DeliverySender = (sending: DeliveryRequest) => Promise<DeliveryOutcome>;

/**
 * Makes one attempt to deliver an event to an endpoint.
 *
 * @param secrets the endpoint's unsealed secrets
 * @param attempt the number of this attempt, from 1
 * @returns the log record of the attempt; the caller sets `next_attempt_date`
 */
export async function attemptDelivery(
  { url }: Pick<Endpoint, "url">,
  secrets: readonly string[],
  { id: event_id, type: event_type, crbId: crb_id }: Pick<SequencedEvent, "id" | "type" | "crbId">,
  body: string,
  attempt: number,
  { clock, sendTo = sendDelivery }: { clock: Clock; sendTo?: DeliverySender | undefined },
): Promise<WebhookDelivery> {
  const at = clock.now();
  const { statusCode, error } = await sendTo({ url, secrets, id: event_id, body, at });
  return {
    id: randomUUID(),
    event_id,
    event_type,
    crb_id,
    attempt,
    date: at.toISOString(),
    status_code: statusCode,
    error,
    duration_ms: Math.max(0, clock.now().getTime() - at.getTime()),
    next_attempt_date: null,
  };
}
