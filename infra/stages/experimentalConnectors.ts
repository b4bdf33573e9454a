import { connectorProofs, isExperimental, isReadable, readablePosTypes } from "../../shared/api/pos/connectorProofs.ts";
import type { StageName, StageSettings } from "./stages.ts";

/** The errors in a stage's `experimentalConnectors`, each with its correction; empty if it is valid. */
export function experimentalConnectorIssues(
  name: StageName,
  { posConnectors, experimentalConnectors }: Pick<StageSettings, "posConnectors" | "experimentalConnectors">,
): string[] {
  const setting = `experimentalConnectors of stage ${name} in infra/stages/stages.ts`;
  if (posConnectors !== "real") {
    return experimentalConnectors.length === 0
      ? []
      : [`Empty ${setting}: the stage simulates its POS systems and offers all of them.`];
  }
  const known = readablePosTypes.filter(isExperimental).join(", ");
  return experimentalConnectors.flatMap((posType) => {
    if (!isReadable(posType)) return [`Remove ${posType} from ${setting}: it must name only ${known}.`];
    if (isExperimental(posType)) return [];
    return [
      `Remove ${posType} from ${setting}: its connector has the proof ${connectorProofs[posType]} and is offered without the setting.`,
    ];
  });
}
