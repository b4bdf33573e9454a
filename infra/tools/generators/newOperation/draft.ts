import type { AccessScope } from "../../../../shared/api/enumerations.ts";
import type { Route } from "../../../../shared/api/operation.ts";

/**
 * The record in a new operation's answer. The answer holds a few of the record's fields until the developer replaces
 * them.
 */
export type About = "crb" | "serviceProvider";

/** A route of a new operation. Such a route always has a scope. */
export type DraftRoute = Route & { caller: About; scope: AccessScope };

/** The facts from which the files of a new operation are generated. */
export interface Draft {
  /**
   * The name of the handler's file, its export, and the registry entry; also the operationId, unless there are two routes.
   */
  name: string;
  /** The folder below functions/. */
  group: string;
  routes: readonly [DraftRoute, ...DraftRoute[]];
  tag: string;
  summary: string;
  about: About;
  /** The name of the answer's schema and of its file. */
  schema: string;
}

/** The new files. The developer edits them by hand. */
export const filesOf = ({ name, group, schema }: Pick<Draft, "name" | "group" | "schema">) => ({
  entry: `shared/api/operations/${name}.ts`,
  schema: `shared/api/schemas/${schema}.ts`,
  handler: `functions/${group}/${name}.ts`,
  test: `test/functions/${group}/${name}.test.ts`,
});
