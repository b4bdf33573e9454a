import { connectablePosTypes } from "../../../../shared/api/enumerations.ts";
import { isReadable } from "../../../../shared/api/pos/connectorProofs.ts";
import { credentialSets } from "../../../../shared/api/pos/credentialSets.ts";
import { posTypes } from "../../../../shared/api/pos/posTypes.ts";
import { StageError } from "../../../cli/stageError.ts";
import { capitalized } from "../files/capitalized.ts";
import { expectFreeFiles } from "../files/freeFiles.ts";
import { type Draft, filesOf } from "./draft.ts";

/** The connectable POS types that have no connector yet. */
export const withoutConnector = connectablePosTypes.filter((posType) => !isReadable(posType));

/**
 * Plans a new connector.
 *
 * @param wish the name of a POS type, ignoring letter case
 * @param root the project's folder
 * @throws StageError if it is not a POS type, or has a connector or its files
 */
export function planPos(wish: string, root: string): Draft {
  const isMeant = (posType: string) => posType.toLowerCase() === wish.toLowerCase();
  const posType = connectablePosTypes.find(isMeant);
  const choice = `choose one of ${withoutConnector.join(", ")}`;
  if (!posType) throw new StageError(`${wish} is not a POS type that a business can be connected to: ${choice}.`);
  if (isReadable(posType)) {
    throw new StageError(`${posType} already has a connector: ${choice}.`);
  }
  const words = posType.toLowerCase().split(" ");
  const name = words.map((word, at) => (at === 0 ? word : capitalized(word))).join("");
  const { businessType, locationRequired, credentialSet } = posTypes[posType];
  const { properties } = credentialSets[credentialSet];
  const credentials = Object.entries(properties).map(([name, { type }]) => ({ name, type, header: headerOf(name) }));
  const draft = { posType, name, page: words.join("-"), businessType, locationRequired, credentials };
  expectFreeFiles(root, Object.values(filesOf(draft)));
  return draft;
}

/** `clientName` and `client_name` as `x-client-name`. */
const headerOf = (credential: string): string =>
  `x-${credential
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase()}`;
