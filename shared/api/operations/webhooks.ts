import { defineOperation, E3, E4, readsAsAdministrator, writesAsProvider } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { idempotencyHeaders } from "../schemas/crbCreation.ts";
import { listOf } from "../schemas/list.ts";
import {
  webhookEndpoint,
  webhookEndpointCreation,
  webhookEndpointUpdate,
  webhookEndpointWithSecret,
} from "../schemas/webhookEndpoint.ts";
import { exampleIds, exampleList } from "./examples.ts";

const endpoints = "/service-providers/{sp_id}/webhook-endpoints";

const url = "https://hooks.frontrange.example.com/cannabis";

export const exampleEndpoint = {
  id: exampleIds.endpoint,
  url,
  description: "Compliance desk",
  event_types: ["crb.status.changed" as const, "document.added" as const],
  enabled: true,
  created_date: "2026-03-02T09:15:00.000Z",
  created_by: exampleIds.issuer,
  created_by_person: null,
  changed_by: null,
  changed_by_person: null,
  status: "current" as const,
  undelivered: 0,
  last_delivered_date: "2026-03-14T16:20:01.000Z",
  last_error: null,
};

/** The secret of a new endpoint. */
const exampleSecret = "whsec_zXb4qU0nJ8kV1sT6yE3wR9mA2cF5hL7pQdGoKiNjBxM=";

/** An address may contain a token of its receiver, so no error echoes the address. */
const secrets = ["body.url"];

const rejectedUrl = {
  422: {
    description: "An identifier or a part of the body is invalid, such as an address that is not public.",
    examples: {
      private: { fields: { "body.url": { message: "must resolve to public addresses only" } } },
      port: { fields: { "body.url": { message: "must have port 443 or a port above 1023" } } },
    },
  },
} as const;

/** The conflict of an endpoint whose secrets ended when a credential was revoked. */
export const rejectedWithoutSecret = {
  description: "The endpoint has no secret, because a credential that knew it was revoked.",
  examples: {
    secret: {
      code: "secret_missing",
      message:
        "The endpoint has no secret, because a credential that knew it was revoked. Make a new secret with rotateWebhookSecret first.",
    },
  },
} as const;

export const listWebhookEndpoints = defineOperation({
  handler: "webhooks/listWebhookEndpoints",
  routes: [{ operationId: "listWebhookEndpoints", path: endpoints, ...readsAsAdministrator }],
  tag: "Webhooks",
  summary: "List the webhook endpoints",
  description: "Lists all webhook endpoints, at most ten, newest first. The response has no secrets.",
  query: noQuery,
  success: { schema: listOf(webhookEndpoint), description: "The endpoints", example: exampleList(exampleEndpoint) },
  errors: E3,
  permissionSets: ["webhooks:list"],
});

export const createWebhookEndpoint = defineOperation({
  handler: "webhooks/createWebhookEndpoint",
  routes: [{ operationId: "createWebhookEndpoint", method: "POST", path: endpoints, ...writesAsProvider }],
  tag: "Webhooks",
  summary: "Register a webhook endpoint",
  description:
    "The endpoint receives events that are stored from now on. All event types, and those of sales days, reconciliation days, state days, insights and statements, require the scope `point-of-sale:read` as well; without it, name other `event_types`. `secret` is shown only once; it signs each delivery, as [Standard Webhooks](https://www.standardwebhooks.com) specifies. A service provider can have at most ten endpoints. With an `Idempotency-Key`, the same credential can repeat the request within 24 hours: it gets the same endpoint and secret. Without one, if you lose the response, find the endpoint in the list, and delete it or rotate its secret. The service resolves the host name now and at every delivery, and rejects it if it resolves to an address that is not public. A name that does not resolve yet is accepted.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: webhookEndpointCreation,
  requests: {
    some: {
      summary: "Selected event types",
      body: { url, description: exampleEndpoint.description, event_types: exampleEndpoint.event_types },
    },
    all: { summary: "All event types", body: { url } },
  },
  secrets,
  success: {
    schema: webhookEndpointWithSecret,
    description: "The endpoint, with its secret",
    example: { ...exampleEndpoint, last_delivered_date: null, secret: exampleSecret },
  },
  errors: [...E3, 409],
  rejections: {
    ...rejectedUrl,
    409: {
      description: "The service provider already has ten endpoints.",
      examples: {
        eleventh: {
          code: "endpoint_limit",
          message: "The service provider already has 10 webhook endpoints, the maximum: delete one first.",
        },
      },
    },
  },
  permissionSets: ["webhooks:create", "serviceKey:read"],
});

export const getWebhookEndpoint = defineOperation({
  handler: "webhooks/getWebhookEndpoint",
  routes: [{ operationId: "getWebhookEndpoint", path: `${endpoints}/{endpoint_id}`, ...readsAsAdministrator }],
  tag: "Webhooks",
  summary: "Read a webhook endpoint",
  description: "Includes the delivery status: whether events are waiting, and why the last attempt failed.",
  query: noQuery,
  success: { schema: webhookEndpoint, description: "The endpoint", example: exampleEndpoint },
  errors: E4,
  permissionSets: ["webhooks:read"],
});

export const updateWebhookEndpoint = defineOperation({
  handler: "webhooks/updateWebhookEndpoint",
  routes: [
    { operationId: "updateWebhookEndpoint", method: "PUT", path: `${endpoints}/{endpoint_id}`, ...writesAsProvider },
  ],
  tag: "Webhooks",
  summary: "Change a webhook endpoint",
  description:
    "Fields that are not sent stay unchanged. `enabled: false` stops deliveries; events wait for the endpoint for the 30 days that they are kept. `enabled: true`, or another `url`, delivers waiting events at once, even after failures. A new `url` is checked as in `createWebhookEndpoint`. A new `url` and new `event_types` require the same scopes as `createWebhookEndpoint`. An endpoint that was disabled because a credential was revoked has no secret: make a new secret before you enable the endpoint. If that credential had set the `url`, send the right `url` together with `enabled: true`.",
  query: noQuery,
  body: webhookEndpointUpdate,
  requests: {
    enable: { summary: "Resume deliveries after an outage", body: { enabled: true } },
    types: { summary: "Other event types", body: { event_types: ["records.changed"] } },
  },
  secrets,
  success: { schema: webhookEndpoint, description: "The endpoint after the change", example: exampleEndpoint },
  errors: [...E4, 409],
  rejections: { ...rejectedUrl, 409: rejectedWithoutSecret },
  permissionSets: ["webhooks:change"],
});

export const deleteWebhookEndpoint = defineOperation({
  handler: "webhooks/deleteWebhookEndpoint",
  routes: [
    { operationId: "deleteWebhookEndpoint", method: "DELETE", path: `${endpoints}/{endpoint_id}`, ...writesAsProvider },
  ],
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  description:
    "Deletes the endpoint with its secrets and waiting events. A delivery that is under way may still arrive within ten seconds.",
  query: noQuery,
  success: {
    schema: webhookEndpoint,
    description: "The endpoint as it was before the deletion",
    example: { ...exampleEndpoint, enabled: false, status: "disabled" as const },
  },
  errors: [...E4, 409],
  permissionSets: ["webhooks:remove"],
});

export const rotateWebhookSecret = defineOperation({
  handler: "webhooks/rotateWebhookSecret",
  routes: [
    {
      operationId: "rotateWebhookSecret",
      method: "POST",
      path: `${endpoints}/{endpoint_id}/secret`,
      ...writesAsProvider,
    },
  ],
  tag: "Webhooks",
  summary: "Make a new secret for a webhook endpoint",
  description:
    "The new secret is shown only once. Earlier secrets stay valid for 24 hours after they are replaced. Each delivery is signed with all valid secrets, so that receivers can switch at any time. An endpoint has at most six valid secrets: a sixth rotation within 24 hours gets 409.",
  query: noQuery,
  success: {
    schema: webhookEndpointWithSecret,
    description: "The endpoint, with its new secret",
    example: { ...exampleEndpoint, secret: exampleSecret },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "Five earlier secrets are still valid. Rotate again when one of them has expired.",
      examples: {
        often: {
          code: "secret_limit",
          message:
            "The secret was rotated 5 times within 24 hours, the maximum. Rotate again when an earlier secret has expired.",
        },
      },
    },
  },
  permissionSets: ["webhookSecrets:change"],
});
