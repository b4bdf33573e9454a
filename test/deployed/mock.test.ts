import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { close, listen } from "../../infra/local/listen.ts";
import { doors } from "../api/useStage.ts";
import { Deployment } from "./deployment.ts";
import { createDeployedGateway } from "./gateway.ts";
import { synthesized } from "./template.ts";

// The mock stage as API Gateway would serve its template: no function, no table.

let gateway: Server;
let baseUrl: string;
beforeAll(async () => {
  const invoke = () => Promise.reject(new Error("the mock has no function"));
  gateway = createDeployedGateway(new Deployment(await synthesized("mock")), invoke);
  baseUrl = `http://127.0.0.1:${await listen(gateway, 0)}`;
});
afterAll(() => close(gateway));

const call = (path: string, method: string, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, { method, headers });

describe.each(doors)("$operationId", ({ operation, method, path }) => {
  const asked = `${path.replaceAll(/\{\w+\}/g, "anything")}?limit=nothing`;

  test("answers with a body that validates", async () => {
    const answer = await call(asked, method, { authorization: "x" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const body = await answer.json();
    expect(operation.success.schema.parse(body)).toEqual(body);
    expect(body).toEqual(operation.success.example);
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
  const head = await call("/crbs/x", "HEAD", { Authorization: "x", Origin: "https://a.example" });
  expect([head.status, Number(head.headers.get("content-length")) > 0]).toEqual([200, true]);
  expect(head.headers.get("access-control-allow-origin")).toBe("https://a.example");
  const preflight = await call("/crbs/x", "OPTIONS", { Origin: "https://a.example" });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "https://a.example"]);
});
