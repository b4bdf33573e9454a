import { consentSettingIssues } from "../stages/consentSettings.ts";
import { experimentalConnectorIssues } from "../stages/experimentalConnectors.ts";
import { saleRuleIssues } from "../stages/saleRuleSettings.ts";
import type { StageName, StageSettings } from "../stages/stages.ts";

/** The errors in the settings that a stage's functions read, each with its correction; empty if all are valid. */
export const settingIssues = (stage: StageName, settings: StageSettings): string[] =>
  [experimentalConnectorIssues, consentSettingIssues, saleRuleIssues].flatMap((issuesOf) => issuesOf(stage, settings));
