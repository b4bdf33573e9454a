import { recoveryIssues } from "../constructs/replicatedKeys.ts";
import { addressLimitIssues } from "../constructs/requestLimits.ts";
import { consentSettingIssues } from "../stages/consentSettings.ts";
import { experimentalConnectorIssues } from "../stages/experimentalConnectors.ts";
import { saleRuleIssues } from "../stages/saleRuleSettings.ts";
import type { StageName, StageSettings } from "../stages/stages.ts";

/** The errors in a stage's settings, each with its correction; empty if all are valid. */
export const settingIssues = (stage: StageName, settings: StageSettings): string[] =>
  [experimentalConnectorIssues, consentSettingIssues, saleRuleIssues, addressLimitIssues, recoveryIssues].flatMap(
    (issuesOf) => issuesOf(stage, settings),
  );
