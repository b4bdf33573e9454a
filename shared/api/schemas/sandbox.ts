import * as z from "zod";
import { posReplicationErrors, sandboxActions } from "../enumerations.ts";
import { count, dateTime, uuid } from "./scalars.ts";

export const sandboxAction = z
  .enum(sandboxActions)
  .meta({ id: "SandboxAction", description: "What the simulated POS does" });

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
    error: posError.exactOptional().describe("Only for `fail`, and required there: the error of the replications"),
    minutes: z.int().min(1).max(1_440).exactOptional().describe("Only for `fail`: duration in minutes; 5 if absent"),
  })
  .default({})
  .meta({ id: "SandboxControl", description: "Details of an action of the simulated POS" });

export type SandboxControl = z.output<typeof sandboxControl>;

/** What a caller made the simulated POS do (docs/spec.md#sandbox-controls). */
export const sandboxState = z
  .strictObject({
    crb_id: uuid.describe("The CRB"),
    rejects_credentials: z.boolean().describe("Whether the POS rejects the credentials"),
    error: posError
      .nullable()
      .describe("The error of the present replications; null if none was requested, or it has ended"),
    error_until: dateTime.nullable().describe("When the error ends; null without an error"),
    sales: count.describe("Number of sales, returns and voided sales that callers made"),
    unreadable_records: count.describe("How many of these the POS returns in a form that is rejected"),
  })
  .meta({ id: "SandboxState", description: "What the simulated POS of a CRB does in addition to its simulation" });

export type SandboxState = z.output<typeof sandboxState>;
