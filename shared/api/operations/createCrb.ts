import { defineOperation, E4 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { crbCore } from "../schemas/crb.ts";
import { crbCreation, idempotencyHeaders } from "../schemas/crbCreation.ts";
import { exampleCore } from "./crbs.ts";
import { exampleIds, rejectedTooOften } from "./examples.ts";

/** The example CRB, without the fields that its creation adds, and with its sales as a number. */
const { id, monthlySales, street_address_2, ...sent } = exampleCore;
const exampleOrganization = { ...sent, business_type: "retail", monthlySales: Number(monthlySales) };

export const createCrb = defineOperation({
  handler: "crbs/createCrb",
  routes: [
    {
      operationId: "createCrb",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "Service Provider",
  summary: "Create a CRB",
  description:
    "With `pos_info` the POS is called with the credentials and connected, and the people in `users`, if any, are invited. Without it there must be `users`; they are invited to connect the POS themselves. `business_type` must be the kind that the POS type serves. All errors in the body are reported together. Then the POS checks the credentials, then the location, and last the service checks that the organization is not connected yet. Nothing is stored unless every check passes. The new CRB is `svc_approved`, or `svc_pending` with `onboarding_required`. With an `Idempotency-Key` the request can be repeated without a second CRB; the same key with another body is refused with 422 on `header.idempotency-key`. If the CRB has left the service provider meanwhile, a repetition answers 404.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: crbCreation,
  requests: {
    invitation: {
      summary: "Invite the people who connect the POS themselves",
      body: {
        org: { name: "High Plains Dispensary", state: "CO", business_type: "retail" },
        users: [{ email: "alex.moreno@highplains.example.com", firstName: "Alex", lastName: "Moreno" }],
        options: { onboarding_required: true },
      },
    },
    posCredentials: {
      summary: "Connect the POS at once",
      body: {
        org: exampleOrganization,
        pos_info: { pos_type: "Dutchie", pos_credentials: { recApiKey: "b1946ac92492d2347c6235b4d2611184" } },
      },
    },
  },
  secrets: ["body.pos_info.pos_credentials"],
  success: { schema: crbCore, description: "The CRB", example: exampleCore },
  errors: [...E4, 409, 503],
  rejections: {
    409: {
      description:
        "The service provider has this organization already: a CRB with the same `ein`, where one is sent, or with the same name and state. Names are the same whatever their letter case, Unicode form, spaces between words and invisible characters. `data` names it.",
      examples: {
        connected: {
          message: "The organization is connected already.",
          data: { org_id: exampleIds.crb, name: exampleCore.name },
        },
      },
    },
    422: {
      description:
        "Something in the identifiers or the body does not fit, or the POS refuses the credentials or the location. `data.locations` then lists the locations to choose from.",
      examples: {
        nobodyInvited: {
          fields: {
            "body.pos_info": { message: "is required when nobody is invited" },
            "body.users": { message: "must have at least one entry when there is no pos_info" },
          },
        },
        credentialsRefused: {
          fields: { "body.pos_info.pos_credentials": { message: "are refused by the POS" } },
        },
        location: {
          fields: {
            "body.pos_info.location_id": {
              message: "is no location of the POS; choose one of data.locations",
              value: "invalidLocation",
            },
          },
          data: { locations: [{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }] },
        },
      },
    },
    429: {
      description:
        "Too many requests; or more people are invited than the service provider has invitation mails left: 500 a day (UTC), resent ones included; or POS systems have rejected too many POS credentials of this caller: 20 in ten minutes, or 50 a day (UTC). Nothing was stored; try again after `Retry-After`.",
      examples: {
        requests: {},
        invitations: {
          message: "500 invitation mails are sent a day (UTC) for a service provider; 3 are left today.",
        },
        posCredentials: { message: rejectedTooOften },
      },
    },
    503: {
      description: "The POS cannot be reached. Nothing was stored; try again after `Retry-After`.",
      examples: { unreachable: { message: "The POS cannot be reached." } },
    },
  },
  permissionSets: [
    "crbs:create",
    "serviceKey:read",
    "posChecks:count",
    "posCredentials:seal",
    "replication:request",
    "invitations:request",
  ],
});
