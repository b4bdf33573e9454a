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

// Checks that a new operation uses no name, route or schema of another operation.

/** Ignores letter case, as some file systems do. @throws StageError */
export function expectFreeNames(names: readonly string[]): void {
  const taken = operationRegistry.flatMap(({ handler, routes }) => [
    handler.split("/").at(-1) ?? "",
    ...routes.map(({ operationId }) => operationId),
  ]);
  for (const name of names) {
    const found = taken.find((other) => other.toLowerCase() === name.toLowerCase());
    if (found) throw new StageError(`The operation ${found} already exists: choose another name.`);
  }
}

/** @throws StageError if the path, or a request to it, matches another route */
export function expectFreeRoute({ method, path }: Route): void {
  for (const other of findAllAt(operationRegistry, pages, path)) {
    if (other.path === path && other.method !== method) continue;
    const owner = "operationId" in other ? other.operationId : other.handler;
    throw new StageError(`${method} ${path} collides with ${other.path} of ${owner}: choose another --path.`);
  }
}

/** A free name for the schema of an operation's answer: no file and no schema of the description has it. */
export function freeSchema(name: string, about: About, root: string): string {
  const preferred = schemaNameOf(name, about);
  const described = Object.keys(openApi().components?.schemas ?? {});
  const isTaken =
    described.includes(capitalized(preferred)) || existsSync(join(root, "shared", "api", "schemas", `${preferred}.ts`));
  return isTaken ? `${name}Answer` : preferred;
}
