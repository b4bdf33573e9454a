import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AccessScope } from "../../../../shared/api/enumerations.ts";
import type { Route } from "../../../../shared/api/operation.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";
import { crbScopes, serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import { StageError } from "../../../cli/stageError.ts";
import { expectFreeFiles } from "../files/freeFiles.ts";
import { type About, type Draft, type DraftRoute, filesOf } from "./draft.ts";
import { nameForm, namesCrb, ownSummaryOf, pathEndOf, summaryOf, withCrb } from "./names.ts";
import { expectFreeNames, expectFreeRoute, freeSchema } from "./taken.ts";

/** The program's parameters. The defaults of absent parameters are derived from the given parameters. */
export interface Wish {
  name: string;
  path?: string | undefined;
  method?: string | undefined;
  caller?: string | undefined;
  scope?: string | undefined;
  group?: string | undefined;
}

const bases = { serviceProvider: "/service-providers/{sp_id}/crbs/{crb_id}", crb: "/crbs/{crb_id}" } as const;
const pathForm =
  /^(\/service-providers\/\{sp_id\}(\/crbs\/\{crb_id\})?|\/crbs\/\{crb_id\})(\/[a-z0-9]+(-[a-z0-9]+)*)*$/;

/**
 * Plans a new operation and checks that it fits the operation registry and the project.
 *
 * @param root the project's folder
 * @throws StageError with a remedy if it does not fit
 */
export function planOperation(wish: Wish, root: string): Draft {
  const { name } = wish;
  if (!nameForm.test(name))
    throw new StageError(`NAME must be camelCase with a verb first, such as getCrbSummary; ${name} is not.`);
  const method = oneOf("--method", (wish.method ?? "GET").toUpperCase(), ["GET", "POST", "PUT", "DELETE"] as const);
  const paths = pathsOf(wish);
  const both = paths.length > 1;
  if (both && namesCrb(name)) {
    throw new StageError(
      `With --caller both, leave Crb out of ${name}: the program adds it to the name of the service provider's operation.`,
    );
  }
  const [first, ...more] = paths.map((path): DraftRoute => {
    const caller: About = path.startsWith(bases.crb) ? "crb" : "serviceProvider";
    const operationId = both && caller === "serviceProvider" ? withCrb(name) : name;
    const summary = both && caller === "crb" ? { summary: ownSummaryOf(name) } : {};
    return { operationId, method, path, caller, scope: scopeOf(wish.scope, caller, method), ...summary };
  });
  if (!first) throw new Error("an operation without a route");
  const routes: Draft["routes"] = [first, ...more];
  expectFreeNames([name, ...routes.map(({ operationId }) => operationId)]);
  for (const route of routes) expectFreeRoute(route);
  const about: About = first.path.includes("{crb_id}") ? "crb" : "serviceProvider";
  const group = groupOf(wish.group ?? (about === "crb" ? "crbs" : "serviceProviders"), root);
  const tag = tagOf(group, first);
  const summary = summaryOf(first.operationId);
  const draft = { name, group, routes, tag, summary, about, schema: freeSchema(name, about, root) };
  expectFreeFiles(root, Object.values(filesOf(draft)));
  return draft;
}

function oneOf<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new StageError(`${option} must be one of ${choices.join(", ")}.`);
  return found;
}

/** The paths of the routes, the service provider's first. */
function pathsOf({ name, path, caller: wanted }: Wish): Route["path"][] {
  if (path !== undefined && !pathForm.test(path)) {
    throw new StageError(
      `--path must begin with ${bases.crb} or /service-providers/{sp_id} and continue in kebab-case. Add ids of records by hand, as docs/contributing/adding-an-operation.md shows.`,
    );
  }
  const owner = path === undefined ? undefined : path.startsWith(bases.crb) ? "crb" : "serviceProvider";
  const caller = oneOf("--caller", wanted ?? owner ?? "serviceProvider", ["serviceProvider", "crb", "both"] as const);
  if (caller !== "both") {
    if (owner && owner !== caller)
      throw new StageError(`${path} belongs to --caller ${owner}: change one of the two options.`);
    return [(path as Route["path"] | undefined) ?? `${bases[caller]}${pathEndOf(name)}`];
  }
  const base = Object.values(bases).find((each) => path?.startsWith(each));
  if (path !== undefined && !base) throw new StageError(`With --caller both, the path must contain {crb_id}.`);
  const end = path === undefined || !base ? pathEndOf(name) : path.slice(base.length);
  return [`${bases.serviceProvider}${end}`, `${bases.crb}${end}`];
}

/** A scope that the caller's credentials have: for reads or changes, by method. */
function scopeOf(wanted: string | undefined, caller: About, method: Route["method"]): AccessScope {
  const held = caller === "crb" ? crbScopes : serviceProviderScopes;
  const fitting = held.filter((scope) => scope.endsWith(method === "GET" ? ":read" : ":write"));
  const [preset] = fitting;
  if (!preset) throw new StageError(`Credentials of CRBs have no scope for a ${method}: use --caller serviceProvider.`);
  return wanted === undefined ? preset : oneOf(`--scope of a ${method} by ${caller}`, wanted, fitting);
}

function groupOf(group: string, root: string): string {
  const isGroup = operationRegistry.some(({ handler }) => handler.startsWith(`${group}/`));
  if (!/^[a-z]+([A-Z][a-z]*)*$/.test(group)) throw new StageError("--group must be camelCase, such as crbs.");
  if (!isGroup && existsSync(join(root, "functions", group))) {
    throw new StageError(`functions/${group} contains files that are not operations: choose another --group.`);
  }
  return group;
}

/** The tag of the nearest operation: preferably of the same group, caller and record. */
function tagOf(group: string, { caller, path }: DraftRoute): string {
  const atCrb = (each: { path: string }) => each.path.includes("{crb_id}");
  const near = operationRegistry.filter(({ routes }) =>
    routes.some((route) => route.caller === caller && atCrb(route) === atCrb({ path })),
  );
  const found = near.find(({ handler }) => handler.startsWith(`${group}/`)) ?? near[0];
  if (!found) throw new Error(`no operation of ${caller}`);
  return found.tag;
}
