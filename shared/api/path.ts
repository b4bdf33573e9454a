import { echo } from "./echo.ts";
import type { Fields } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { UUID } from "./patterns.ts";

/** The ids named in a path, by parameter name. */
export type PathIds = Readonly<Record<string, string>>;

/**
 * The path parameters that are ids. These are all path parameters except the ones that the operation's `path`
 * describes.
 */
export const pickIds = ({ path }: Pick<Operation, "path">, parameters: PathIds | null): PathIds =>
  Object.fromEntries(Object.entries(parameters ?? {}).filter(([name]) => !(path && name in path.shape)));

/** Ids are compared in lower case (docs/spec.md#identifiers-times-and-money). */
export const lowerCase = (ids: PathIds): PathIds =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toLowerCase()]));

/** The ids that are not uuids, as failing inputs; undefined if there are none. */
export function malformedIds(ids: PathIds): Fields | undefined {
  const malformed = Object.entries(ids).filter(([, id]) => !UUID.test(id));
  if (malformed.length === 0) return undefined;
  return Object.fromEntries(
    malformed.map(([name, id]) => [`path.${name}`, { message: "must be a uuid", ...echo(id) }]),
  );
}

/**
 * The name of the id that a parameter of a path stands for, unique in the API. Parameters with the same name can stand for
 * different ids: an upload becomes a document only later, and an invited user sees another business than a service
 * provider's caller may have chosen.
 *
 * @param name of the parameter
 * @param path with its parameters in braces
 */
export function pathIdName(name: string, path: string): string {
  const id = name === "document_id" && path.includes("/document-uploads/") ? "upload_id" : name;
  return path.startsWith("/onboarding/") ? `invited_${id}` : id;
}
