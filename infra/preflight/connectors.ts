import { experimentalConnectorIssues } from "../experimentalConnectors.ts";
import type { Findings, Planned } from "./preflight.ts";

/** What is wrong with the experimental connectors that the stage lists, and otherwise which ones it offers. */
export function checkConnectors({ name, settings }: Planned): Findings {
  const refusals = experimentalConnectorIssues(name, settings);
  const offered = settings.experimentalConnectors.join(", ");
  if (refusals.length > 0 || offered === "") return { refusals, warnings: [] };
  return {
    refusals,
    warnings: [
      `Stage ${name} offers experimental connectors (${offered}), which neither captured payloads nor vendor documents ` +
        "back: compare their records with the POS before anyone relies on them.",
    ],
  };
}
