import { defineOperation, E4 } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { webhookDelivery, webhookEndpoint, webhookReplay } from "../schemas/webhookEndpoint.ts";
import { exampleIds, exampleList } from "./examples.ts";
import { exampleEndpoint } from "./webhooks.ts";

const one = "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}";
const read = { caller: "serviceProvider", scope: "service-provider:read" } as const;
const write = { caller: "serviceProvider", scope: "service-provider:write" } as const;

const exampleDelivery = {
  id: "0d4b8f7a-52c6-4e19-8a3d-6f17c2e90b54",
  event_id: exampleIds.event,
  event_type: "document.status.changed" as const,
  crb_id: exampleIds.crb,
  attempt: 2,
  date: "2026-03-14T16:20:06.000Z",
  status_code: 200,
  error: null,
  duration_ms: 143,
  next_attempt_date: null,
};

export const testWebhookEndpoint = defineOperation({
  handler: "webhooks/testWebhookEndpoint",
  routes: [{ operationId: "testWebhookEndpoint", method: "POST", path: `${one}/test`, ...write }],
  tag: "Webhooks",
  summary: "Send a test event to a webhook endpoint",
  description:
    "Makes one attempt at once to deliver an event of type `endpoint.test`, and answers how it went, after eleven seconds at most. The event is sent to this endpoint alone, whatever types it asks for, also while it is disabled; `listEvents` does not show it. It is not tried again, and has no part in whether the endpoint is failing.",
  query: noQuery,
  success: {
    schema: webhookDelivery,
    description: "The attempt",
    example: { ...exampleDelivery, event_type: "endpoint.test" as const, crb_id: null, attempt: 1 },
  },
  errors: E4,
  capabilities: ["webhooks:test"],
});

export const replayWebhookEndpoint = defineOperation({
  handler: "webhooks/replayWebhookEndpoint",
  routes: [{ operationId: "replayWebhookEndpoint", method: "POST", path: `${one}/replay`, ...write }],
  tag: "Webhooks",
  summary: "Deliver events to a webhook endpoint again",
  description:
    "Everything that was stored since `from` is delivered, again or for the first time, in order; what was stored before it is not, even if it waits. So the present instant skips what waits, such as an event that the receiver can never take. Some events of the minute before `from` may come, too. What is under way is not held up. If the call fails, repeat it: a part of the events may be set back already.",
  query: noQuery,
  body: webhookReplay,
  requests: { since: { summary: "After an outage", body: { from: "2026-03-14T00:00:00Z" } } },
  success: {
    schema: webhookEndpoint,
    description: "The endpoint, to which events are being delivered",
    example: { ...exampleEndpoint, status: "delivering" as const, undelivered: 42 },
  },
  errors: E4,
  refusals: {
    422: {
      description: "Something in the identifiers or the body does not fit, such as an instant more than 30 days ago.",
      examples: {
        early: { fields: { "body.from": { message: "must be within the last 30 days" } } },
        late: { fields: { "body.from": { message: "must not be in the future" } } },
      },
    },
  },
  capabilities: ["webhooks:read", "webhooks:replay"],
});

export const listWebhookDeliveries = defineOperation({
  handler: "webhooks/listWebhookDeliveries",
  routes: [{ operationId: "listWebhookDeliveries", method: "GET", path: `${one}/deliveries`, ...read }],
  tag: "Webhooks",
  summary: "List the attempts to deliver to a webhook endpoint",
  description:
    "Those of the last 30 days, the newest first, tests included. An event that was tried several times has an entry for each attempt. Nothing of what the receiver answered is kept but its status.",
  query: pagedQuery,
  success: {
    schema: listOf(webhookDelivery),
    description: "A page of attempts",
    example: exampleList(exampleDelivery),
  },
  errors: E4,
  capabilities: ["webhooks:deliveries"],
});
