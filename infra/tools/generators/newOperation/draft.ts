import type { AccessScope } from "../../../../shared/api/enumerations.ts";
import type { Route } from "../../../../shared/api/operation.ts";

/** What the answer of a new operation is about: it holds a few fields of that record until its developer replaces them. */
export type About = "crb" | "serviceProvider";

/** A route of a new operation: like any other, but always with a scope. */
export type DraftRoute = Route & { caller: About; scope: AccessScope };

/** Everything the files of a new operation are written from. */
export interface Draft {
  /** The handler's file and export, and the operation registry entry's; the operationId too, unless there are two routes. */
  name: string;
  /** The folder below functions/. */
  group: string;
  routes: readonly [DraftRoute, ...DraftRoute[]];
  tag: string;
  summary: string;
  about: About;
  /** The export of the answer's schema, and its file's name. */
  schema: string;
}

/** The files of a new operation that are written by hand from then on. */
export const filesOf = ({ name, group, schema }: Pick<Draft, "name" | "group" | "schema">) => ({
  entry: `shared/api/operations/${name}.ts`,
  schema: `shared/api/schemas/${schema}.ts`,
  handler: `functions/${group}/${name}.ts`,
  test: `test/functions/${group}/${name}.test.ts`,
});
