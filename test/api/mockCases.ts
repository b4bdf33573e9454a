import * as oauth from "openid-client";
import { describe, expect, test } from "vitest";
import committed from "../../docs/openapi.json" with { type: "json" };
import { oauthClient } from "./oauthClient.ts";
import { routes } from "./useStage.ts";

const form = "application/x-www-form-urlencoded";

/** The responses of every mock stage, wherever it runs: examples to any credential, otherwise the service's own errors. */
export function mockCases(baseUrl: () => string): void {
  // The mock stage reads only the type of a body.
  const call = (path: string, method: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl() + path, {
      method,
      headers: { ...(method === "POST" && { "Content-Type": "application/json" }), ...headers },
      ...(method === "POST" && { body: "no JSON" }),
    });

  describe.each(routes)("$operationId", ({ operation, method, path }) => {
    // The mock stage does not read path parameters and the query.
    const address = `${path.replaceAll(/\{\w+\}/g, "anything")}?limit=nothing`;

    test("responds to any credential with its example, which is valid", async () => {
      for (const Authorization of ["x", "Bearer sk_nobody"]) {
        const answer = await call(address, method, { Authorization });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
        const record = await answer.json();
        expect(operation.success.schema.parse(record)).toEqual(record);
        expect(record).toEqual(operation.success.example);
      }
    });

    test("rejects another content type before it checks the credential", async () => {
      for (const type of ["text/plain", ...(operation.form ? [] : [form])]) {
        const answer = await call(address, method, { "Content-Type": type });
        expect([answer.status, await answer.json()]).toEqual([
          422,
          {
            name: "Validation Failed",
            code: "validation_failed",
            status: 422,
            message: expect.any(String),
            fields: { body: { message: "must be sent as application/json" } },
          },
        ]);
      }
    });

    test("responds with 401 without a credential", async () => {
      for (const headers of [{}, { Authorization: " " }]) {
        const answer = await call(address, method, headers);
        expect([answer.status, await answer.json()]).toEqual([
          401,
          { name: "Unauthorized", code: "unauthorized", status: 401, message: expect.any(String) },
        ]);
      }
    });

    if (!operation.form) return;
    test("responds to a form with the example for forms, or with an OAuth 2 error", async () => {
      for (const type of [form, `${form};charset=UTF-8`]) {
        const answer = await call(address, method, { Authorization: "x", "Content-Type": type });
        const record = await answer.json();
        expect([answer.status, record]).toEqual([200, operation.form?.example]);
        expect(operation.success.schema.parse(record)).toEqual(record);
        const refused = await call(address, method, { "Content-Type": type });
        expect([refused.status, await refused.json()]).toEqual([
          401,
          {
            name: "Unauthorized",
            code: "unauthorized",
            status: 401,
            message: expect.any(String),
            error: "invalid_client",
            error_description: expect.any(String),
          },
        ]);
      }
    });
  });

  test("an OAuth 2 library gets a token", async () => {
    const token = await oauth.clientCredentialsGrant(oauthClient(baseUrl(), "an id", oauth.ClientSecretBasic("x")));
    expect(token.access_token).toMatch(/^at_/);
  });

  test("the description and its page are the same as on every stage, and need no credential", async () => {
    expect(await (await call("/openapi.json", "GET")).json()).toEqual(committed);
    const page = await call("/docs", "GET");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    expect((await call("/docs", "HEAD")).status).toBe(200);
  });

  test.each([
    ["GET", "/nothing"],
    ["PATCH", "/crbs/x"],
    ["GET", "/crbs/x/y"],
  ])("%s %s gets 404", async (method, path) => {
    const answer = await call(path, method, { Authorization: "x" });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { name: "Not Found", code: "route_not_found", status: 404, message: expect.any(String) },
    ]);
  });

  test("HEAD and OPTIONS get the same response as on every stage, for pages of any origin", async () => {
    const origin = "https://a.example";
    const head = await call("/crbs/x", "HEAD", { Authorization: "x", Origin: origin });
    expect([head.status, Number(head.headers.get("content-length")) > 0]).toEqual([200, true]);
    expect(head.headers.get("access-control-allow-origin")).toBe(origin);
    const preflight = await call("/crbs/x", "OPTIONS", { Origin: origin });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
  });
}
