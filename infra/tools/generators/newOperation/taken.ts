import { existsSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";
import type { Route } from "../../../../shared/api/operation.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";
import { pages } from "../../../../shared/web/pageRoutes.ts";
import { StageError } from "../../../cli/stageError.ts";
import { findAllAt } from "../../../local/routes.ts";
import { capitalized } from "../files/capitalized.ts";
import type { About } from "./draft.ts";
import { schemaNameOf } from "./names.ts";

// What a new operation must leave alone, since it is somebody else's.

/** Letter case does not tell names apart: their files may lie on a disk that does not. @throws StageError */
export function expectFreeNames(names: readonly string[]): void {
  const taken = operationRegistry.flatMap(({ handler, routes }) => [
    handler.split("/").at(-1) ?? "",
    ...routes.map(({ operationId }) => operationId),
  ]);
  for (const name of names) {
    const found = taken.find((other) => other.toLowerCase() === name.toLowerCase());
    if (found) throw new StageError(`There is an operation ${found}: choose another name.`);
  }
}

/** @throws StageError where the path, or a request of it, is another route's */
export function expectFreeRoute({ method, path }: Route): void {
  for (const other of findAllAt(operationRegistry, pages, path)) {
    if (other.path === path && other.method !== method) continue;
    const owner = "operationId" in other ? other.operationId : other.handler;
    throw new StageError(`${method} ${path} collides with ${other.path} of ${owner}: choose another --path.`);
  }
}

/** A name for the schema of an operation's answer that neither a file nor a schema of the description has. */
export function freeSchema(name: string, about: About, root: string): string {
  const preferred = schemaNameOf(name, about);
  const described = Object.keys(openApi().components?.schemas ?? {});
  const isTaken =
    described.includes(capitalized(preferred)) || existsSync(join(root, "shared", "api", "schemas", `${preferred}.ts`));
  return isTaken ? `${name}Answer` : preferred;
}
