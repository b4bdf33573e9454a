import { describe, expect, test } from "vitest";
import { guardedRoutes, useStage } from "./useStage.ts";

// The stage allows calls from pages of any origin. The sandbox allows none by default (infra/stages/stages.ts).

const { call, ids } = useStage({ demoAlone: true });

const search = ({ operationId }: (typeof guardedRoutes)[number]) =>
  operationId === "searchCrbCustomers" ? "?pos_customer_id=1" : "";

describe("a page of another origin", () => {
  const origin = "https://some.page.example";

  test.each(guardedRoutes)("may call $operationId and read the response", async (route) => {
    const preflight = await call(route, {
      method: "OPTIONS",
      authorization: null,
      body: null,
      headers: { Origin: origin, "Access-Control-Request-Method": route.method },
    });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    const headersIn = (answer = preflight) => [
      answer.headers.get("access-control-allow-origin"),
      answer.headers.get("vary"),
      answer.headers.get("access-control-expose-headers"),
    ];
    const expected = [origin, "Origin", "Deprecation, ETag, Link, RateLimit-Policy, Retry-After, Sunset, x-request-id"];
    expect(headersIn()).toEqual(expected);
    expect(preflight.headers.get("access-control-allow-methods")?.split(", ")).toContain(route.method);
    expect(preflight.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await call(route, { authorization: null, headers: { Origin: origin } });
    expect([refused.status, ...headersIn(refused)]).toEqual([401, ...expected]);
    if (route.method !== "GET") return;
    expect(headersIn(await call(route, { search: search(route), headers: { Origin: origin } }))).toEqual(expected);
    expect(
      headersIn(await call(route, { search: search(route), headers: { Origin: origin, "If-None-Match": "*" } })),
    ).toEqual(expected);
  });

  test("may read errors that the gateway itself returns", async () => {
    const [route] = guardedRoutes;
    const { sp_id } = await ids();
    expect(sp_id).toBeTruthy();
    const unknown = await call(
      { ...(route ?? expect.fail("no route")), path: "/nothing/here" },
      { headers: { Origin: origin } },
    );
    expect([unknown.status, unknown.headers.get("access-control-allow-origin")]).toEqual([404, origin]);
  });
});
