import { consentSettingIssues } from "../../stages/consentSettings.ts";
import { saleRuleIssues } from "../../stages/saleRuleSettings.ts";
import { checkBackup } from "./backup.ts";
import { checkBoundary } from "./boundary.ts";
import { checkConcurrency } from "./concurrency.ts";
import { checkConnectors } from "./connectors.ts";
import { checkFormat } from "./format.ts";
import { checkKeys, checkRestoredTable } from "./keys.ts";
import { checkMail } from "./mail.ts";
import { checkMove } from "./move.ts";
import type { Findings, PlannedDeployment } from "./plannedDeployment.ts";
import { checkTrails } from "./trails.ts";

/**
 * Checks the settings and the AWS account for faults. Without this check, such a fault would stop the deployment after
 * minutes, or stop mail after a day.
 *
 * @throws Error when AWS rejects a call, mostly for a missing permission
 */
export async function preflight(planned: PlannedDeployment): Promise<Findings> {
  if (planned.settings.answers === "examples") return { rejections: await checkBoundary(planned), warnings: [] };
  const [boundary, backup, concurrency, trails, keys, restoredTable, format, mail] = await Promise.all([
    checkBoundary(planned),
    checkBackup(planned),
    checkConcurrency(planned),
    planned.isNew ? checkTrails(planned) : [],
    checkKeys(planned),
    checkRestoredTable(planned),
    checkFormat(planned),
    checkMail(planned),
  ]);
  const connectors = checkConnectors(planned);
  const move = await checkMove(planned);
  return {
    rejections: [
      ...boundary,
      ...connectors.rejections,
      ...consentSettingIssues(planned.name, planned.settings),
      ...saleRuleIssues(planned.name, planned.settings),
      ...backup,
      ...concurrency,
      ...trails,
      ...keys,
      ...restoredTable,
      ...format,
      ...mail.rejections,
    ],
    warnings: [
      ...(planned.paused
        ? [`Stage ${planned.name} stays paused: npm run resume -- --stage ${planned.name} starts it.`]
        : []),
      ...connectors.warnings,
      ...mail.warnings,
      ...move,
    ],
  };
}
