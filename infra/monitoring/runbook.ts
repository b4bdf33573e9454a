import type { AwsSettings } from "../stages/stages.ts";

/** The runbook section for an alarm: at the stage's runbook URL, if it has one. */
export const paragraphOf = ({ runbookUrl = "docs/operations/alarms.md" }: AwsSettings, alarm: string): string =>
  [runbookUrl, alarm].join("#");
