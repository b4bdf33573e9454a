import { Argument } from "@commander-js/extra-typings";
import { UUID } from "../../shared/api/patterns.ts";
import { kindsByName, type RecordKind, recordKinds } from "../../shared/kinds.ts";
import { StageError } from "../local/stageError.ts";

/**
 * Takes a parameter that is an id, in lower case. What is none is not told again: it may be a secret.
 *
 * @param name as help shows it
 * @param dash what may stand in its place
 */
export const uuid =
  (name: string, dash?: string) =>
  (text: string): string => {
    if (text === dash) return text;
    if (!UUID.test(text)) throw new StageError(`${name} must be a uuid${dash ? `, or ${dash}` : ""}.`);
    return text.toLowerCase();
  };

export const crbArgument = () =>
  new Argument("<CRB_ID>", "id of a business; crb list shows them").argParser(uuid("CRB_ID"));

export const serviceProviderArgument = () =>
  new Argument("<SP_ID>", "id of a service provider; service-provider list shows them").argParser(uuid("SP_ID"));

export const kindArgument = () =>
  new Argument("<KIND>", `kind of records: ${recordKinds.join(", ")}; or as the API names its list`).argParser(kindOf);

/** The kind of records that is called so, here or by the API. @throws StageError when there is no such kind of records */
export function kindOf(text: string): RecordKind {
  const name = text.toLowerCase();
  const named = new Map<string, RecordKind>(Object.entries(kindsByName));
  const kind = recordKinds.find((one) => one === name) ?? named.get(name);
  if (!kind) throw new StageError(`KIND must be one of ${recordKinds.join(", ")}.`);
  return kind;
}
