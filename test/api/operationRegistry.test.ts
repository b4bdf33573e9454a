import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exampleEvent } from "../../infra/local/exampleEvent.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { exampleIds } from "../../shared/api/operations/examples.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { validateEvent } from "../validateEvent.ts";
import { routes } from "./useStage.ts";

const functionFile = (handler: string) => new URL(`../../functions/${handler}.ts`, import.meta.url);

describe.each(operationRegistry)("$handler", (operation) => {
  test("has a handler file that exports the handler", async () => {
    const module: { handler?: unknown } = await import(functionFile(operation.handler).href);
    expect(module.handler).toBeTypeOf("function");
  });

  test("has an example that fits its own schema", () => {
    expect(operation.success.schema.parse(operation.success.example)).toEqual(operation.success.example);
  });
});

describe.each(routes)("$operationId", ({ operation, ...route }) => {
  test("has a sample event that is valid", () => {
    const event = exampleEvent(operation, route);
    const body = event.body?.replace("{hour_ago}", new Date().toISOString()) ?? null;
    // Placeholders of UUIDs pass this check; those of a license and of a day have other forms.
    const names = {
      ...(event.pathParameters?.license_id && { license_id: exampleIds.license }),
      ...(event.pathParameters?.date && { date: "2026-03-01" }),
    };
    const pathParameters = event.pathParameters && { ...event.pathParameters, ...names };
    expect(validateEvent(operation, { ...event, pathParameters, body, route }).fields).toBeUndefined();
  });

  test("has a path that fits its caller, and a read or write scope that fits its method", () => {
    if (route.caller === "anyone") return;
    const isOnboarding = route.path === "/onboarding" || route.path.startsWith("/onboarding/");
    const isOpen = route.path.startsWith("/sign-in/");
    expect(isOnboarding || isOpen).toBe(route.caller === "invitedUser" || route.caller === "nobody");
    expect(route.path.startsWith("/service-providers/{sp_id}")).toBe(route.caller === "serviceProvider");
    expect(route.path.startsWith("/crbs/{crb_id}")).toBe(route.caller === "crb");
    if (isOnboarding || isOpen) expect(route.scope).toBeUndefined();
    else expect(route.scope).toMatch(route.method === "GET" ? /:read$/ : /:write$/);
  });
});

test("operation ids, routes and handlers are unique", () => {
  for (const names of [
    routes.map(({ operationId }) => operationId),
    routes.map(({ method, path }) => `${method} ${path}`),
    operationRegistry.map(({ handler }) => handler),
  ]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

test("every function belongs to an operation", () => {
  const files = readdirSync(new URL("../../functions", import.meta.url), { recursive: true, encoding: "utf8" });
  const handlers = files.filter(
    (file) =>
      file.endsWith(".ts") &&
      !/^(replication\/|restorations\/|invitations\/|(documents|deposits|insights|overview|stateSystems)\/sweeper|exports\/(worker|sweeper)\.|statements\/worker\.|linkedLicenses\/comparer\.|copies\/exporter\.|webhooks\/(deliverer|sweeper)\.)/.test(
        file,
      ),
  );
  const served = [...operationRegistry, ...pages].map(({ handler }) => `${handler}.ts`);
  expect(handlers.sort()).toEqual([...new Set(served)].sort());
});
