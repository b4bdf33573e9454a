import { defineOperation, E4, writesAsProvider } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { createdCrb } from "../schemas/crb.ts";
import { crbCreation, idempotencyHeaders } from "../schemas/crbCreation.ts";
import { exampleCore } from "./exampleCrb.ts";
import { exampleIds, rejectedTooOften } from "./examples.ts";

/** The example CRB, without the fields that its creation adds, and with its sales as a number. */
const { id, monthlySales, street_address_2, ...sent } = exampleCore;
const exampleOrganization = { ...sent, business_type: "retail", monthlySales: Number(monthlySales) };

export const createCrb = defineOperation({
  handler: "crbs/createCrb",
  routes: [{ operationId: "createCrb", method: "POST", path: "/service-providers/{sp_id}/crbs", ...writesAsProvider }],
  tag: "Service Provider",
  summary: "Create a CRB",
  description:
    "If the body has `pos_info`, the service checks the credentials with the POS, connects it, and invites the people in `users`, if any. Without `pos_info`, `users` is required; these users are invited to connect the POS themselves. `business_type` must be the one that the POS type serves. All errors in the body are reported together. After that the POS checks the credentials, then the location; last, the service checks that the organization is not connected yet, or, without `pos_info`, that the business is not invited yet. Nothing is stored unless every check passes. The new CRB is `svc_approved`, or `svc_pending` with `onboarding_required`. `license_numbers` links licenses of the register of the state; numbers that match none, or several, are returned as `unmatched_licenses`. With an `Idempotency-Key` you can repeat the request without creating a second CRB. The same key with another body is rejected with 422 on `header.idempotency-key`. If the association of the CRB has ended meanwhile, a repetition gets 404.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: crbCreation,
  requests: {
    invitation: {
      summary: "Invite the people who connect the POS themselves",
      body: {
        org: { name: "High Plains Dispensary", state: "CO", business_type: "retail" },
        users: [{ email: "alex.moreno@highplains.example.com", firstName: "Alex", lastName: "Moreno" }],
        license_numbers: ["402R-00999"],
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
  secrets: ["body.pos_info.pos_credentials", "body.users"],
  businessField: "id",
  success: {
    schema: createdCrb,
    description: "The CRB, and which of the sent license numbers match no license",
    example: { ...exampleCore, unmatched_licenses: ["402R-00999"] },
  },
  errors: [...E4, 409, 503],
  rejections: {
    409: {
      description:
        "`already_connected`, only with `pos_info`: the service provider has a CRB with the same `ein` (if one is sent) or with the same name and state, other than CRBs without a POS whose invitations have all ended. `already_invited`, only without `pos_info`: it has an open invitation of a CRB without a POS that has the same `ein`, or the same name and state and a user with the same address. The comparison of names ignores letter case, Unicode form, the number of spaces between words and invisible characters. `data` names the existing CRB.",
      examples: {
        connected: {
          code: "already_connected",
          message: "The service provider already has a CRB of this organization.",
          data: { org_id: exampleIds.crb, name: exampleCore.name },
        },
        invited: {
          code: "already_invited",
          message: "The service provider has already invited this business, which has not connected a POS yet.",
          data: { org_id: exampleIds.crb, name: exampleCore.name },
        },
      },
    },
    422: {
      description:
        "An identifier or a part of the body is invalid, or the POS rejects the credentials or the location. If the location is missing or wrong, `data.locations` lists the locations to choose from.",
      examples: {
        nobodyInvited: {
          fields: {
            "body.pos_info": { message: "is required, unless users invites at least one person" },
            "body.users": { message: "must have at least one entry, unless pos_info is sent" },
          },
        },
        credentialsRefused: {
          fields: { "body.pos_info.pos_credentials": { message: "are rejected by the POS; check each of them" } },
        },
        location: {
          fields: {
            "body.pos_info.location_id": {
              message: "is not a location of the POS; choose one of data.locations",
              value: "invalidLocation",
            },
          },
          data: { locations: [{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }] },
        },
      },
    },
    429: {
      description:
        "A limit is reached: of requests; of invitation mails of the service provider (500 a UTC day, including resent ones); or of POS credentials of this caller that POS systems rejected (20 in ten minutes, 50 a UTC day). Nothing was stored; try again after `Retry-After`.",
      examples: {
        requests: {},
        invitations: {
          code: "invitation_limit",
          message:
            "A service provider can send 500 invitation mails a UTC day, and 3 are left. Invite fewer users, or try again after Retry-After.",
        },
        posCredentials: { code: "pos_check_limit", message: rejectedTooOften },
      },
    },
    503: {
      description: "The POS cannot be reached. Nothing was stored; try again after `Retry-After`.",
      examples: {
        unreachable: { code: "pos_unavailable", message: "The POS cannot be reached. Try again after Retry-After." },
      },
    },
  },
  permissionSets: [
    "crbs:create",
    "licenses:search",
    "linkedLicenses:add",
    "serviceKey:read",
    "posChecks:count",
    "posCredentials:seal",
    "replication:request",
    "invitations:request",
  ],
});
