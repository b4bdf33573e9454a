import { describe, expect, test } from "vitest";
import { doors } from "./useStage.ts";

/**
 * What every mock stage answers, wherever it runs: examples to any credential, the service's own refusals otherwise.
 *
 * @param options.postBody what is sent by POST; nothing when absent
 */
export function mockCases(baseUrl: () => string, options: { postBody?: string } = {}): void {
  const { postBody: body } = options;
  const call = (path: string, method: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl() + path, { method, headers, ...(method === "POST" && body !== undefined && { body }) });

  describe.each(doors)("$operationId", ({ operation, method, path }) => {
    // Nothing looks at what is asked.
    const asked = `${path.replaceAll(/\{\w+\}/g, "anything")}?limit=nothing`;

    test("answers its example, which validates, to any credential", async () => {
      for (const Authorization of ["x", "Bearer sk_nobody"]) {
        const answer = await call(asked, method, { Authorization });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
        const record = await answer.json();
        expect(operation.success.schema.parse(record)).toEqual(record);
        expect(record).toEqual(operation.success.example);
      }
    });

    test("answers 401 without a credential", async () => {
      for (const headers of [{}, { Authorization: " " }]) {
        const answer = await call(asked, method, headers);
        expect([answer.status, await answer.json()]).toEqual([
          401,
          { name: "Unauthorized", status: 401, message: expect.any(String) },
        ]);
      }
    });
  });

  test.each([
    ["GET", "/nothing"],
    ["PATCH", "/crbs/x"],
    ["GET", "/crbs/x/y"],
  ])("%s %s is 404", async (method, path) => {
    const answer = await call(path, method, { Authorization: "x" });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { name: "Not Found", status: 404, message: expect.any(String) },
    ]);
  });

  test("HEAD and OPTIONS are answered as on every stage, to pages of any origin", async () => {
    const origin = "https://a.example";
    const head = await call("/crbs/x", "HEAD", { Authorization: "x", Origin: origin });
    expect([head.status, Number(head.headers.get("content-length")) > 0]).toEqual([200, true]);
    expect(head.headers.get("access-control-allow-origin")).toBe(origin);
    const preflight = await call("/crbs/x", "OPTIONS", { Origin: origin });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
  });
}
