import type { StageName } from "../stages/stages.ts";

/** The CloudWatch name of a stage's alarm. */
export const alarmName = (stage: StageName, name: string): string => `business-data-${stage}-${name}`;
