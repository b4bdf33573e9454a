import { echo } from "./echo.ts";
import type { Fields } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { UUID } from "./patterns.ts";

/** The ids named in a path, by parameter name. */
export type PathIds = Readonly<Record<string, string>>;

/** The ids among the parameters of a path: all but those that its operation describes itself. */
export const pickIds = ({ path }: Pick<Operation, "path">, parameters: PathIds | null): PathIds =>
  Object.fromEntries(Object.entries(parameters ?? {}).filter(([name]) => !(path && name in path.shape)));

/** Ids are compared in lower case (docs/spec.md#identifiers-times-and-money). */
export const lowerCase = (ids: PathIds): PathIds =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toLowerCase()]));

/** The ids that are no uuid, as failing inputs; undefined when there is none. */
export function malformedIds(ids: PathIds): Fields | undefined {
  const malformed = Object.entries(ids).filter(([, id]) => !UUID.test(id));
  if (malformed.length === 0) return undefined;
  return Object.fromEntries(
    malformed.map(([name, id]) => [`path.${name}`, { message: "must be a uuid", ...echo(id) }]),
  );
}
