import * as z from "zod";
import { deliveryErrors, eventTypes, webhookStatuses } from "../enumerations.ts";
import { createBoundedList } from "./checks.ts";
import { eventType } from "./event.ts";
import { anyText } from "./requestFields.ts";
import { count, dateTime, uuid } from "./scalars.ts";

/** Why the last attempt, or a listed one, failed. */
const deliveryError = z
  .enum(deliveryErrors)
  .meta({ id: "WebhookDeliveryError", description: "Why an attempt to deliver an event failed" });

/** A receiver of a service provider's events (docs/spec.md#webhooks), without its secret. */
export const webhookEndpoint = z
  .strictObject({
    id: uuid.describe("Identifies the endpoint"),
    url: z.string().describe("Where events are sent, by POST"),
    description: z.string().describe("What the service provider has noted of it; may be empty"),
    event_types: z.array(eventType).describe("The types of events that it is sent; all when empty"),
    enabled: z.boolean().describe("Whether it is sent events"),
    created_date: dateTime.describe("When it was registered"),
    created_by: uuid.nullable().describe("Client id of the credential that registered it; null if none is recorded"),
    changed_by: uuid
      .nullable()
      .describe("Client id of the credential that last changed the endpoint or its secret; null until one does"),
    status: z
      .enum(webhookStatuses)
      .meta({ id: "WebhookStatus", description: "How a webhook endpoint stands" })
      .describe(
        "`disabled`: it is sent nothing; `failing`: an event could not be delivered, and is tried again; `delivering`: events wait; `current`: none does",
      ),
    undelivered: count.max(1_000).describe("How many events wait for it, 1,000 at most"),
    last_delivered_date: dateTime.nullable().describe("When it last took an event; null until it has"),
    last_error: deliveryError.nullable().describe("Why the last attempt failed; null when it did not"),
  })
  .meta({ id: "WebhookEndpoint", description: "Where events are delivered" });

export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** The same with a new secret. */
export const webhookEndpointWithSecret = webhookEndpoint
  .extend({
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .describe("By which deliveries are signed (Standard Webhooks); shown this once"),
  })
  .meta({
    id: "WebhookEndpointWithSecret",
    description: "A webhook endpoint, and its secret, which is not shown again",
  });

/** An attempt to deliver an event to a webhook endpoint (docs/spec.md#replay-tests-and-delivery-log). */
export const webhookDelivery = z
  .strictObject({
    id: uuid.describe("Identifies the attempt"),
    event_id: uuid.describe("The event, which the header `webhook-id` named"),
    event_type: eventType,
    crb_id: uuid.nullable().describe("The CRB that the event is about; null for what is about none"),
    attempt: count.min(1).describe("How often it has been tried, with this one"),
    date: dateTime.describe("When it was tried"),
    status_code: count.nullable().describe("What the receiver answered; null when it did not"),
    error: deliveryError.nullable().describe("Why it failed; null when the event was delivered"),
    duration_ms: count.describe("How long it took, in milliseconds"),
    next_attempt_date: dateTime.nullable().describe("When it is tried again; null when it is not"),
  })
  .meta({
    id: "WebhookDelivery",
    description: "An attempt to deliver an event; nothing of the receiver's answer is kept",
  });

export type WebhookDelivery = z.output<typeof webhookDelivery>;

/**
 * Checks only the form of an address. `shared/domain/webhooks/endpointUrl.ts` checks whether events may be sent
 * there.
 */
const url = z
  .string()
  .min(1)
  .max(2_000, { abort: true })
  .describe(
    "`https`, a public host, port 443 or one above 1023, no credentials and no fragment; stored in the form in which it is called",
  );

const fields = {
  description: anyText.describe("A note of your own"),
  event_types: createBoundedList(eventTypes.length, eventType)
    .transform((types) => [...new Set(types)])
    .describe("The types of events to send; all when empty"),
};

export const webhookEndpointCreation = z
  .strictObject({
    url,
    description: fields.description.exactOptional(),
    event_types: fields.event_types.exactOptional(),
  })
  .meta({ id: "WebhookEndpointCreation", description: "Where to deliver events, and which" });

/** Changes to a webhook endpoint. Fields that are not sent keep their values. */
export const webhookEndpointUpdate = z
  .strictObject({
    url: url.exactOptional(),
    description: fields.description.exactOptional(),
    event_types: fields.event_types.exactOptional(),
    enabled: z
      .boolean()
      .exactOptional()
      .describe("`false` stops deliveries; `true` goes on where they stopped, as far as events are kept, at once"),
  })
  .meta({ id: "WebhookEndpointUpdate", description: "What to change; what is not sent stays as it is" });

/** The time from which events are delivered again. */
export const webhookReplay = z
  .strictObject({
    from: z.iso
      .datetime({ offset: true })
      .describe("An instant of the last 30 days: deliver what was stored since; the present one skips what waits"),
  })
  .meta({ id: "WebhookReplay", description: "From when on to deliver events again" });
