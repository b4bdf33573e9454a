import { describe, expect, test } from "vitest";
import { findPage, findRoute } from "../../../infra/local/routes.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";

const idOf = (method: string, path: string) => findRoute(operationRegistry, method, path)?.route.operationId;

describe("findRoute", () => {
  test("finds every route of the operation registry by its own path", () => {
    for (const route of operationRegistry.flatMap((operation) => operation.routes)) {
      expect(idOf(route.method, route.path.replaceAll(/\{\w+\}/g, "x"))).toBe(route.operationId);
    }
  });

  test("serves HEAD by the route of GET, and no other method", () => {
    expect(idOf("HEAD", "/crbs/x")).toBe("getCrb");
    expect(idOf("POST", "/crbs/x")).toBeUndefined();
    expect(idOf("HEAD", "/auth/token")).toBeUndefined();
  });

  test.each([
    "/",
    "/crbs",
    "/crbs/",
    "/crbs//customers",
    "/crbs/x/",
    "//crbs/x",
    "/CRBS/x",
    "/crbs/x/customers/y/z",
    "",
  ])("finds nothing for %j", (path) => expect(idOf("GET", path)).toBeUndefined());

  test.each([
    ["a%20b", "a b"],
    ["a%2Fb", "a/b"],
    ["%E2%9C%93", "✓"],
    ["%zz", "%zz"],
    ["%E2%9C", "%E2%9C"],
    ["a+b", "a+b"],
  ])("decodes the parameter %s to %s", (encoded, decoded) => {
    expect(findRoute(operationRegistry, "GET", `/crbs/${encoded}`)?.parameters).toEqual({ crb_id: decoded });
  });
});

describe("findPage", () => {
  test("finds every page by its own path, which is no route of an operation", () => {
    for (const { method, path, handler } of pages) {
      const requested = path.replaceAll(/\{\w+\}/g, "x");
      expect(findPage(pages, method, requested)?.handler).toBe(handler);
      expect(findRoute(operationRegistry, method, requested)).toBeUndefined();
    }
  });

  test("serves HEAD like GET, and no other method", () => {
    expect(findPage(pages, "HEAD", "/openapi.json")?.handler).toBe("description/openApi");
    expect(findPage(pages, "POST", "/openapi.json")).toBeUndefined();
    expect(findPage(pages, "GET", "/openapi")).toBeUndefined();
  });
});
