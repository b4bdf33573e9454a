import { experimentalConnectorIssues } from "../../stages/experimentalConnectors.ts";
import type { Findings, PlannedDeployment } from "./plannedDeployment.ts";

/** Reports mistakes in the stage's `experimentalConnectors`. A valid list gives a warning that names the connectors. */
export function checkConnectors({ name, settings }: PlannedDeployment): Findings {
  const rejections = experimentalConnectorIssues(name, settings);
  const offered = settings.experimentalConnectors.join(", ");
  if (rejections.length > 0 || offered === "") return { rejections, warnings: [] };
  return {
    rejections,
    warnings: [
      `Stage ${name} offers experimental connectors (${offered}), whose mapping was checked neither against captured payloads nor against ` +
        "vendor documents. Compare their records with the POS before a service provider relies on them.",
    ],
  };
}
