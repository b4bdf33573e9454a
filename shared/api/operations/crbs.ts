import { defineOperation, E4, readsAsProvider, writesAsProvider } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { accessCredentials, crbAccessCreation } from "../schemas/accessCredentials.ts";
import { crb, crbCore } from "../schemas/crb.ts";
import { crbUpdate } from "../schemas/crbUpdate.ts";
import { exampleCore, exampleCrb } from "./exampleCrb.ts";
import { exampleIds } from "./examples.ts";

export const getCrbInfo = defineOperation({
  handler: "crbs/getCrbInfo",
  routes: [{ operationId: "getCrbInfo", path: "/service-providers/{sp_id}/crbs/{crb_id}", ...readsAsProvider }],
  tag: "CRB Info",
  summary: "Read a CRB with its status",
  description:
    "Returns its address and figures, its due-diligence `status`, its onboarding template and its POS connections. A CRB whose association is paused (`bank_disconnected`) stays readable.",
  query: noQuery,
  success: { schema: crb, description: "The CRB", example: exampleCrb },
  errors: E4,
  permissionSets: ["crbs:read"],
});

export const updateCrbInfo = defineOperation({
  handler: "crbs/updateCrbInfo",
  routes: [
    {
      operationId: "updateCrbInfo",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}",
      ...writesAsProvider,
    },
  ],
  tag: "CRB Info",
  summary: "Change a CRB",
  description:
    "Changes only the fields that are sent; `{}` changes nothing. A value can be replaced but not cleared: `null` is rejected. Name, state, template and status cannot be changed here. After a change of `timezone` the service soon reads all records from the POS again and computes their local times for the new zone; the inventory of past days stays as it was. `monthlySales` is a number in the request and text in the response.",
  query: noQuery,
  body: crbUpdate,
  requests: {
    figures: {
      summary: "Change the telephone number and figures",
      body: { phone_number: "(303) 555-0117", ptEmployees: 6, monthlySales: 420000 },
    },
  },
  success: { schema: crb, description: "The CRB after the change", example: exampleCrb },
  errors: [...E4, 409],
  rejections: {
    422: {
      description: "An identifier or a part of the body is invalid, or the body has a field that cannot be changed.",
      examples: {
        fields: {
          fields: {
            "body.status": { message: "is not a field of this request", value: "bank_approved" },
            "body.ein": { message: "must be an employer identification number, ##-#######", value: "847654321" },
          },
        },
      },
    },
  },
  permissionSets: ["crbs:change"],
});

export const createCrbAccess = defineOperation({
  handler: "crbs/createCrbAccess",
  routes: [
    {
      operationId: "createCrbAccess",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/access",
      caller: "serviceProvider",
      scope: "create-crb-api-key:write",
      // The pair can read customers.
      holdsCustomers: "always",
    },
  ],
  tag: "CRB Info",
  summary: "Issue credentials for a CRB",
  description:
    "The pair of client id and secret gives access to the paths below `/crbs/{crb_id}`. Each call issues a new pair and shows its secret only once. The two newest pairs stay valid and older ones end, so that you can replace a pair without an interruption. `ended_client_ids` names the pairs that this call has ended. The pair gets a scope only if the credential or token of the request allows it: `crb:read` requires `service-provider:read`, and `point-of-sale:read` requires `point-of-sale:read`. The pair ends on its `expires_date`, with the credential that issued it, or with the association, whichever is first. An `expires_date` beyond the maximum age of credentials on this stage gets 422. With `allowed_cidrs`, the pair and its tokens work only from these addresses, which must lie within those of the credential that issues it.",
  query: noQuery,
  body: crbAccessCreation.optional(),
  requests: {
    named: { summary: "A pair with a name", body: { name: "Nightly report" } },
    restricted: {
      summary: "A pair that works from some addresses",
      body: { name: "Nightly report", allowed_cidrs: ["203.0.113.0/24", "2001:db8:40::/48"] },
    },
  },
  success: {
    schema: accessCredentials,
    description: "The pair",
    example: {
      client_id: exampleIds.credential,
      secret: "sk_PR96hlLJS-CfF8imDS5bQwq7Zt2LxVb9Kc4Nf8Hs1Gd6Jp3Wm5Yr0Qe7Ta2Ui4Ox6",
      expires_date: "2027-03-02T20:05:00.000Z",
      allowed_cidrs: null,
      ended_client_ids: [],
    },
  },
  errors: [...E4, 409],
  rejections: {
    403: {
      description: "The credential lacks the scope `create-crb-api-key:write`, or the new pair would have no scope.",
      examples: {
        scope: {
          code: "scope_missing",
          message: "The credential does not hold the scope create-crb-api-key:write, which this operation requires.",
        },
        nothing: {
          code: "scope_missing",
          message:
            "The credential holds neither service-provider:read nor point-of-sale:read, so the new pair would have no scope.",
        },
      },
    },
  },
  permissionSets: ["crbAccess:issue"],
});

export const getCrb = defineOperation({
  handler: "crbs/getCrb",
  routes: [{ operationId: "getCrb", method: "GET", path: "/crbs/{crb_id}", caller: "crb", scope: "crb:read" }],
  tag: "CRB",
  summary: "Read your own record",
  description:
    "Returns the address and figures of the CRB that the credential belongs to, as its service provider maintains them.",
  query: noQuery,
  success: { schema: crbCore, description: "The CRB", example: exampleCore },
  errors: E4,
  permissionSets: ["crbs:read"],
});
