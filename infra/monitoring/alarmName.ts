import type { AwsSettings, StageName } from "../stages/stages.ts";

/** The CloudWatch name of a stage's alarm. */
export const alarmName = (stage: StageName, name: string): string => `business-data-${stage}-${name}`;

/** The runbook section for an alarm: at the stage's runbook URL, if it has one. */
export const paragraphOf = ({ runbookUrl = "docs/operations/alarms.md" }: AwsSettings, alarm: string): string =>
  [runbookUrl, alarm].join("#");
