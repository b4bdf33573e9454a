import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMockStage } from "../../../infra/local/mockStage.ts";
import { doors } from "../../api/useStage.ts";

let stage: Awaited<ReturnType<typeof startMockStage>>;
beforeAll(async () => {
  stage = await startMockStage({ port: 0 });
});
afterAll(() => stage?.stop());

const call = (path: string, method: string, headers = {}) =>
  fetch(stage.baseUrl + path, { method, headers, ...(method === "POST" && { body: "no JSON" }) });

describe.each(doors)("$operationId", ({ operation, method, path }) => {
  // Nothing looks at what is asked.
  const asked = `${path.replaceAll(/\{\w+\}/g, "anything")}?limit=nothing`;

  test("answers its example to any credential", async () => {
    for (const authorization of ["x", "Bearer sk_nobody"]) {
      const answer = await call(asked, method, { Authorization: authorization });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(await answer.json()).toEqual(operation.success.example);
    }
  });

  test("answers 401 without one", async () => {
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

test("HEAD and OPTIONS are answered as on every stage", async () => {
  const head = await call("/crbs/x", "HEAD", { Authorization: "x" });
  expect([head.status, Number(head.headers.get("content-length")) > 0]).toEqual([200, true]);
  const preflight = await call("/crbs/x", "OPTIONS", { Origin: "https://a.example" });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "https://a.example"]);
});
