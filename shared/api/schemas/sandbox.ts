import * as z from "zod";
import { posReplicationErrors, sandboxActions } from "../enumerations.ts";
import { count, dateTime, uuid } from "./scalars.ts";

export const sandboxAction = z
  .enum(sandboxActions)
  .meta({ id: "SandboxAction", description: "An action of the simulated POS" });

const posError = z.enum(posReplicationErrors).describe("The error of the replications, as in `Replication.error`");

/** Details of an action (docs/spec.md#sandbox-controls). */
export const sandboxControl = z
  .strictObject({
    count: z
      .int()
      .min(1)
      .max(20)
      .exactOptional()
      .describe("Only for `sell` and `reject_records`: number of sales; 1 if absent"),
    violation: z
      .string()
      .max(50)
      .exactOptional()
      .describe(
        "Only for `sell`: the sales break a rule of this check, such as `minimum_age`. It needs an enabled rule of the CRB's state that a sale can break",
      ),
    error: posError.exactOptional().describe("Only for `fail`, and required there: the error of the replications"),
    minutes: z.int().min(1).max(1_440).exactOptional().describe("Only for `fail`: duration in minutes; 5 if absent"),
  })
  .default({})
  .meta({ id: "SandboxControl", description: "Details of an action of the simulated POS" });

export type SandboxControl = z.output<typeof sandboxControl>;

/** The state of a simulated POS after a caller's action (docs/spec.md#sandbox-controls). */
export const sandboxState = z
  .strictObject({
    crb_id: uuid.describe("The CRB"),
    rejects_credentials: z.boolean().describe("Whether the POS rejects the credentials"),
    error: posError
      .nullable()
      .describe("The error of the present replications; null if none was requested, or it has ended"),
    error_until: dateTime.nullable().describe("When the error ends; null without an error"),
    sales: count.describe("Number of sales, returns and voided sales that callers made"),
    unreadable_records: count.describe("Number of these that the POS returns in a form that the service rejects"),
  })
  .meta({ id: "SandboxState", description: "The state that callers have given to the simulated POS of a CRB" });

export type SandboxState = z.output<typeof sandboxState>;
