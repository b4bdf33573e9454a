import type { AwsSettings } from "../stages/stages.ts";

/** Where the runbook says what to do about an alarm: below the address where people read it, if the stage has one. */
export const paragraphOf = ({ runbookUrl = "docs/operations.md" }: AwsSettings, alarm: string): string =>
  [runbookUrl, alarm].join("#");
