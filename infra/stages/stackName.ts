import type { StageName } from "./stages.ts";

/** The stacks of a stage, in the order of their deployment. */
export const stackParts = ["data", "monitoring", "background", "api", "workers"] as const;

/** Those in the other region of a stage that has one: before, and after the stack of the data. */
type RecoveryPart = "recovery" | "recovery-keys";

/** What CloudFormation calls a stack of a stage. */
export const stackName = (stage: StageName, part: (typeof stackParts)[number] | RecoveryPart): string =>
  `business-data-${stage}-${part}`;
