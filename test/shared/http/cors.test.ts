import { afterEach, describe, expect, test, vi } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { allowedOrigins, corsHeaders, methodsOf, preflightHeaders } from "../../../shared/http/cors.ts";

const app = "https://app.example.com";

describe("the origins of a stage", () => {
  afterEach(() => void vi.unstubAllEnvs());
  const other = "https://other.example.com";

  test.each<[string | undefined, string[]]>([
    [undefined, []],
    ["", []],
    [" , ", []],
    [app, [app]],
    [`${app},${other}`, [app, other]],
    [` ${app} ,\n ${other} `, [app, other]],
  ])("in %j are %j", (text, origins) => {
    vi.stubEnv("ALLOWED_ORIGINS", text);
    expect(allowedOrigins()).toEqual(origins);
  });
});

describe("an answer", () => {
  test("says nothing where no origin is allowed", () => {
    expect(corsHeaders(app, [])).toEqual({});
    expect(preflightHeaders(["GET"], app, [])).toEqual({ Allow: "GET" });
  });

  test("names an allowed origin, and what its pages may read", () => {
    const told = {
      Vary: "Origin",
      "Access-Control-Allow-Origin": app,
      "Access-Control-Expose-Headers": "ETag, Retry-After, x-request-id",
    };
    expect(corsHeaders(app, ["https://other.example.com", app])).toEqual(told);
    expect(corsHeaders(app, ["*"])).toEqual(told);
    expect(corsHeaders(undefined, ["*"])).toEqual({ Vary: "Origin" });
  });

  test.each([
    undefined,
    "null",
    `${app}/`,
    `${app}:444`,
    "http://app.example.com",
    "https://app.example.com.evil.example",
    "https://APP.example.com",
    "",
  ])("names no other origin, such as %s", (origin) => {
    expect(corsHeaders(origin, [app])).toEqual({ Vary: "Origin" });
    expect(preflightHeaders(["GET"], origin, [app])).toEqual({ Vary: "Origin", Allow: "GET" });
  });
});

describe("a preflight", () => {
  test("allows the path's methods and every header that some operation reads", () => {
    const headers = preflightHeaders(["GET", "HEAD", "OPTIONS"], app, [app]);
    expect(headers).toMatchObject({
      Allow: "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Origin": app,
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Max-Age": "7200",
    });
    const allowed = (headers["Access-Control-Allow-Headers"] ?? "").toLowerCase().split(", ");
    const read = operationRegistry.flatMap((operation) => Object.keys(operation.headers?.shape ?? {}));
    expect(read).not.toEqual([]);
    expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type", "if-none-match", ...read]));
  });

  test("HEAD is answered wherever there is a GET", () => {
    expect(methodsOf([{ method: "GET" }, { method: "POST" }])).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
    expect(methodsOf([{ method: "PUT" }, { method: "DELETE" }])).toEqual(["PUT", "DELETE", "OPTIONS"]);
  });
});
