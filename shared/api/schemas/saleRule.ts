import * as z from "zod";
import { state } from "./codes.ts";
import { date } from "./scalars.ts";

const text = z.string().nullable();

const saleRuleSource = z
  .strictObject({
    title: z.string().describe("Name of the page or file"),
    url: z.string().optional().describe("Address of the page"),
    repository: z.string().optional().describe("Public repository of the file, `owner/name`"),
    path: z.string().optional().describe("Path in the repository"),
    commit: z.string().optional().describe("Commit of the repository"),
    read: date.describe("Day on which it was read"),
  })
  .meta({ id: "SaleRuleSource", description: "A page, or a file of a public repository" });

/** A rule that sales are checked against (docs/spec.md#sale-checks). */
export const saleRule = z
  .strictObject({
    id: z.string().describe("Id, such as `CO.adult.minimum_age`"),
    state: state.nullable().describe("State; null for a rule of every state"),
    check: z.string().describe("The check that the rule sets a value for"),
    applies_to: z.enum(["adult", "medical", "all"]).describe("The customers that it is about"),
    value: z
      .union([z.number(), z.string()])
      .nullable()
      .describe("Value in `unit`; a frame of local times such as `06:00-22:00`"),
    unit: text.describe("Unit of the value"),
    tolerance: z
      .number()
      .nullable()
      .describe("How far a sale may be beyond the value, in `unit`; minutes for local times"),
    equivalence: z
      .record(z.string(), z.number())
      .nullable()
      .describe("How much one unit of each kind counts in `unit`; null if each kind has its own limit"),
    not_limited: z.array(z.string()).nullable().describe("Kinds of cannabis products that the rule does not limit"),
    period: z.string().describe("`sale`, `day`, `possession`, or `days:` and a number"),
    from: date.describe("First local day"),
    to: date.nullable().describe("Last local day; null if it has none"),
    citation: text.describe("The statute or rule; null if it is no law"),
    sources: z.array(saleRuleSource).describe("Where its text was read"),
    remarks: z.array(z.string()).describe("How it is read"),
    severity: z.enum(["exception", "warning"]).describe("What a violation is"),
    enabled: z.boolean().describe("Whether sales are checked against it"),
    why_not: text.describe("Why it is not enabled; null if it is"),
  })
  .meta({ id: "SaleRule", description: "A rule that sales are checked against" });

/** What one rule says of one sale (docs/spec.md#sale-checks). */
const saleCheck = z
  .strictObject({
    rule_id: z.string().describe("Id of the rule"),
    outcome: z.enum(["passed", "violated", "not_evaluated"]).describe("What the rule says of the sale"),
    why: text.describe("Why the rule was not evaluated; null if it was"),
    limit: saleRule.shape.value.describe("The rule's value"),
    value: z.union([z.number(), z.string()]).nullable().describe("What the sale has; null if it is unknown"),
    unit: text.describe("Unit of both"),
    citation: text.describe("The statute or rule; null if it is no law"),
  })
  .meta({ id: "SaleCheck", description: "What one rule says of one sale" });

/** All rules' outcomes for a sale, computed at the call. */
export const saleChecks = z
  .strictObject({
    sale_id: z.string().describe("Id of the sale"),
    state: state.describe("State of the business"),
    date: date.describe("Local day whose rules were applied"),
    rules_version: z.string().describe("Version of the rules"),
    checks: z.array(saleCheck).describe("One entry per enabled rule of the state on that day"),
  })
  .meta({ id: "SaleChecks", description: "What the rules say of a sale" });
