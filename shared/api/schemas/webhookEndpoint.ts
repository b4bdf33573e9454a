import * as z from "zod";
import { deliveryErrors, eventTypes, webhookStatuses } from "../enumerations.ts";
import { createBoundedList } from "./checks.ts";
import { eventType } from "./event.ts";
import { person } from "./person.ts";
import { anyText } from "./requestFields.ts";
import { count, dateTime, openEnum, uuid } from "./scalars.ts";

/** Why an attempt to deliver an event failed. */
const deliveryError = openEnum(deliveryErrors, {
  id: "WebhookDeliveryError",
  description: "Why an attempt to deliver an event failed",
});

/** A receiver of a service provider's events (docs/spec.md#webhooks), without its secret. */
export const webhookEndpoint = z
  .strictObject({
    id: uuid.describe("Identifies the endpoint"),
    url: z.string().describe("The address to which events are sent by POST"),
    description: z.string().describe("A note of the service provider; may be empty"),
    event_types: z.array(eventType).describe("The event types to send; all if empty"),
    enabled: z.boolean().describe("Whether events are sent to the endpoint"),
    created_date: dateTime.describe("When the endpoint was registered"),
    created_by: uuid
      .nullable()
      .describe("Client id of the credential that registered the endpoint; null if none is recorded"),
    created_by_person: person.nullable().describe("The person who registered it; null for programs"),
    changed_by: uuid
      .nullable()
      .describe("Client id of the credential that last changed the endpoint or its secret; null until one does"),
    changed_by_person: person.nullable().describe("The person who made this change; null for programs"),
    status: z
      .enum(webhookStatuses)
      .meta({ id: "WebhookStatus", description: "Status of the deliveries to a webhook endpoint" })
      .describe(
        "`disabled`: no events are sent; `failing`: an event could not be delivered and is retried; `delivering`: events are waiting; `current`: no event is waiting",
      ),
    undelivered: count
      .max(1_000)
      .describe(
        "Number of waiting events, at most 1,000; a lower bound if the endpoint wants few of more than 10,000 events",
      ),
    last_delivered_date: dateTime
      .nullable()
      .describe("When the receiver last accepted an event; null before the first"),
    last_error: deliveryError.nullable().describe("Why the last attempt failed; null if it succeeded"),
  })
  .meta({ id: "WebhookEndpoint", description: "A receiver of events" });

export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** A webhook endpoint with its new secret. */
export const webhookEndpointWithSecret = webhookEndpoint
  .extend({
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .describe("The secret that signs deliveries (Standard Webhooks); shown only once"),
  })
  .meta({
    id: "WebhookEndpointWithSecret",
    description: "A webhook endpoint with its secret, which is not shown again",
  });

/** An attempt to deliver an event to a webhook endpoint (docs/spec.md#replay-tests-and-delivery-log). */
export const webhookDelivery = z
  .strictObject({
    id: uuid.describe("Identifies the attempt"),
    event_id: uuid.describe("The event; the header `webhook-id` of the delivery has the same id"),
    event_type: eventType,
    crb_id: uuid.nullable().describe("The CRB that the event is about; null if it is about none"),
    attempt: count.min(1).describe("Number of this attempt for the event, from 1"),
    date: dateTime.describe("When the attempt was made"),
    status_code: count.nullable().describe("HTTP status of the receiver's response; null if there was none"),
    error: deliveryError.nullable().describe("Why the attempt failed; null if the event was delivered"),
    duration_ms: count.describe("Duration of the attempt in milliseconds"),
    next_attempt_date: dateTime.nullable().describe("When the next attempt follows; null if none does"),
  })
  .meta({
    id: "WebhookDelivery",
    description: "An attempt to deliver an event; only the status of the receiver's response is kept",
  });

export type WebhookDelivery = z.output<typeof webhookDelivery>;

/**
 * Checks only the form of an address. `shared/domain/webhooks/endpointUrl.ts` checks whether events may be sent to the
 * address.
 */
const url = z
  .string()
  .min(1)
  .max(2_000, { abort: true })
  .meta({
    description:
      "A URL with `https`, a public host, port 443 or a port above 1023, no user name or password, and no fragment; stored in normalized form",
    format: "uri",
    pattern: "^[Hh][Tt][Tt][Pp][Ss]://",
  });

const fields = {
  description: anyText.describe("A note of your own"),
  event_types: createBoundedList(eventTypes.length, z.enum(eventTypes).describe("A type of event"))
    .transform((types) => [...new Set(types)])
    .describe("The event types to send; all if empty"),
};

export const webhookEndpointCreation = z
  .strictObject({
    url,
    description: fields.description.exactOptional(),
    event_types: fields.event_types.exactOptional(),
  })
  .meta({ id: "WebhookEndpointCreation", description: "A receiver to register, with the event types to send" });

/** Changes to a webhook endpoint. Fields that are not sent keep their values. */
export const webhookEndpointUpdate = z
  .strictObject({
    url: url.exactOptional(),
    description: fields.description.exactOptional(),
    event_types: fields.event_types.exactOptional(),
    enabled: z
      .boolean()
      .exactOptional()
      .describe(
        "`false` stops deliveries; `true` resumes them at once where they stopped, as far as the events are still kept",
      ),
  })
  .meta({ id: "WebhookEndpointUpdate", description: "Fields to change; fields that are not sent stay unchanged" });

/** The time from which events are delivered again. */
export const webhookReplay = z
  .strictObject({
    from: z.iso
      .datetime({ offset: true })
      .describe(
        "A time within the last 30 days; events that were stored since then are delivered. The current time skips all waiting events",
      ),
  })
  .meta({ id: "WebhookReplay", description: "The time from which to deliver events again" });

export const webhookTest = z
  .strictObject({ event_type: z.enum(eventTypes).default("endpoint.test").describe("The type of the event") })
  .default({ event_type: "endpoint.test" })
  .meta({ id: "WebhookTest", description: "Which event to send" });
