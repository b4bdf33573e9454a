import type { StageName } from "../stages/stages.ts";

/** What an alarm of a stage is called in CloudWatch. */
export const alarmName = (stage: StageName, name: string): string => `business-data-${stage}-${name}`;
