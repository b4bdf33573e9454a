import type { StageName } from "./stages.ts";

/** The stacks of a stage, in the order of their deployment. */
export const stackParts = ["data", "monitoring", "background", "api", "workers"] as const;

/** The stacks in the recovery region: one deployed before the data stack, one after it. */
type RecoveryPart = "recovery" | "recovery-keys";

/** The CloudFormation name of a stage's stack. */
export const stackName = (stage: StageName, part: (typeof stackParts)[number] | RecoveryPart): string =>
  `business-data-${stage}-${part}`;
