import type { StageName } from "./stages.ts";

/** What CloudFormation calls a stack of a stage. */
export const stackName = (stage: StageName, part: "data" | "monitoring" | "background" | "api"): string =>
  `business-data-${stage}-${part}`;
