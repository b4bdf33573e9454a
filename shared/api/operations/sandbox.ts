import * as z from "zod";
import { defineOperation, E4, writesAsProvider } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { sandboxAction, sandboxControl, sandboxState } from "../schemas/sandbox.ts";
import { exampleIds } from "./examples.ts";

export const controlSandbox = defineOperation({
  handler: "sandbox/controlSandbox",
  onlySimulated: true,
  routes: [
    {
      operationId: "controlSandbox",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/sandbox/{action}",
      ...writesAsProvider,
    },
  ],
  tag: "Sandbox",
  summary: "Control the simulated POS of a CRB",
  description:
    "Only in the sandbox and the local stage; in production the path does not exist. Each call also requests a replication, so that the consequence follows within seconds, or within two minutes where a second failed run must confirm it. `sell` makes sales, with `violation` such that break a rule for sales of the CRB's state; `return` and `void` concern the last of them that was neither returned nor voided. `refuse_credentials` and `restore_credentials` lead to `Needs Attention` and back to `Connected`. `fail` makes the replications fail for some minutes. `reject_records` makes sales that cannot be converted. `reset` ends failures and makes these sales readable; the other sales stay.",
  path: z.object({ action: sandboxAction.describe("The action") }),
  query: noQuery,
  body: sandboxControl,
  requests: {
    sell: { summary: "Make two sales", path: { action: "sell" }, body: { count: 2 } },
    fail: {
      summary: "Make the POS unreachable for five minutes",
      path: { action: "fail" },
      body: { error: "unreachable", minutes: 5 },
    },
  },
  success: {
    schema: sandboxState,
    description: "The new state of the simulated POS",
    example: {
      crb_id: exampleIds.crb,
      rejects_credentials: false,
      error: null,
      error_until: null,
      sales: 2,
      unreadable_records: 0,
    },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB is not connected to a simulated POS, or has no sale for the action, or too many.",
      examples: {
        disconnected: { code: "pos_not_connected", message: "The CRB is not connected to a POS." },
        nothing: { code: "sale_missing", message: "There is no sale to return or to void: call sell first." },
        many: { code: "sale_limit", message: "The CRB has 485 sales that callers made; at most 500 are possible." },
      },
    },
    422: {
      description: "An identifier or the body is invalid, such as `fail` without an error.",
      examples: {
        error: { fields: { "body.error": { message: "is required for fail" } } },
        violation: {
          fields: {
            "body.violation": {
              message: "must be a check that a sale of this CRB can break: minimum_age, transaction_limit",
              value: "sale_hours",
            },
          },
        },
      },
    },
  },
  permissionSets: ["sandbox:control", "replication:request"],
});
