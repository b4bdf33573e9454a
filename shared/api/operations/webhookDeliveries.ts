import { defineOperation, E4, readsAsAdministrator, writesAsProvider } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { webhookDelivery, webhookEndpoint, webhookReplay, webhookTest } from "../schemas/webhookEndpoint.ts";
import { exampleIds, exampleList } from "./examples.ts";
import { exampleEndpoint, rejectedWithoutSecret } from "./webhooks.ts";

const one = "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}";

/** Each call makes the service send requests to an address that the caller chose. */
const tenPerMinute = { perMinute: 10 };
const rejectedAboveLimit = {
  description:
    "The credential has made ten such calls in this minute: `Retry-After` says when it may make another. Or there were too many requests.",
  examples: {
    allowance: { message: "A credential may call this operation 10 times a minute. Try again after Retry-After." },
    throttled: {},
  },
};

/** The error for other types on a stage with real businesses. */
export const onlyEndpointTest = "must be endpoint.test; only the sandbox and the local stage send other types";

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
  routes: [{ operationId: "testWebhookEndpoint", method: "POST", path: `${one}/test`, ...writesAsProvider }],
  tag: "Webhooks",
  summary: "Send a test event to a webhook endpoint",
  description:
    "Makes one attempt to deliver an `endpoint.test` event, and returns the result within eleven seconds. Only this endpoint receives the event, whatever its `event_types`, even while it is disabled. `listEvents` does not show the event. The attempt is not retried and does not affect the status of the endpoint. Without a body, the type is `endpoint.test`. The sandbox and the local stage also send every other type, with the ids of examples. A credential may send ten tests a minute.",
  query: noQuery,
  body: webhookTest,
  requests: {
    plain: { summary: "A test of the connection", body: {} },
    sandbox: { summary: "An event of another type, in the sandbox", body: { event_type: "sales_day.completed" } },
  },
  success: {
    schema: webhookDelivery,
    description: "The attempt",
    example: { ...exampleDelivery, event_type: "endpoint.test" as const, crb_id: null, attempt: 1 },
  },
  errors: [...E4, 409],
  rejections: {
    409: rejectedWithoutSecret,
    422: {
      description: "An identifier or the body is invalid, or the stage sends no test events of this type.",
      examples: { type: { fields: { "body.event_type": { message: onlyEndpointTest, value: "crb.created" } } } },
    },
    429: rejectedAboveLimit,
  },
  permissionSets: ["webhooks:test"],
  rateLimit: tenPerMinute,
});

export const replayWebhookEndpoint = defineOperation({
  handler: "webhooks/replayWebhookEndpoint",
  routes: [{ operationId: "replayWebhookEndpoint", method: "POST", path: `${one}/replay`, ...writesAsProvider }],
  tag: "Webhooks",
  summary: "Deliver events to a webhook endpoint again",
  description:
    "Delivers all events that were stored since `from`, in order, whether or not they were delivered before. Earlier events are skipped, even if they are waiting. To skip an event that your receiver can never accept, set `from` to the current time. Some events of the minute before `from` may also come. Deliveries under way continue. A credential may request ten replays a minute. If the call fails, repeat it: it may have taken effect for some of the events.",
  query: noQuery,
  body: webhookReplay,
  requests: { since: { summary: "After an outage", body: { from: "2026-03-14T00:00:00Z" } } },
  success: {
    schema: webhookEndpoint,
    description: "The endpoint, to which the events are now delivered",
    example: { ...exampleEndpoint, status: "delivering" as const, undelivered: 42 },
  },
  errors: [...E4, 409],
  rejections: {
    422: {
      description: "An identifier or a part of the body is invalid, such as an instant more than 30 days ago.",
      examples: {
        early: { fields: { "body.from": { message: "must be within the last 30 days" } } },
        late: { fields: { "body.from": { message: "must not be in the future" } } },
      },
    },
    429: rejectedAboveLimit,
  },
  permissionSets: ["webhooks:read", "webhooks:replay"],
  rateLimit: tenPerMinute,
});

export const listWebhookDeliveries = defineOperation({
  handler: "webhooks/listWebhookDeliveries",
  routes: [{ operationId: "listWebhookDeliveries", path: `${one}/deliveries`, ...readsAsAdministrator }],
  tag: "Webhooks",
  summary: "List the attempts to deliver to a webhook endpoint",
  description:
    "Lists the attempts of the last 30 days, including tests, newest first. An event with several attempts has an entry for each. Only the status of the receiver's response is kept.",
  query: pagedQuery,
  businessField: "crb_id",
  success: {
    schema: listOf(webhookDelivery),
    description: "A page of attempts",
    example: exampleList(exampleDelivery),
  },
  errors: E4,
  permissionSets: ["webhooks:deliveries"],
});
