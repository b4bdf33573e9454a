import { afterEach, describe, expect, test, vi } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { allowedOrigins, corsHeaders, methodsOf, preflightHeaders } from "../../../shared/http/cors.ts";

const app = "https://app.example.com";

describe("the allowed origins of a stage", () => {
  afterEach(() => void vi.unstubAllEnvs());
  const other = "https://other.example.com";

  test.each<[string | undefined, string[]]>([
    [undefined, []],
    ["", []],
    [" , ", []],
    [app, [app]],
    [`${app},${other}`, [app, other]],
    [` ${app} ,\n ${other} `, [app, other]],
  ])("from %j are %j", (text, origins) => {
    vi.stubEnv("ALLOWED_ORIGINS", text);
    expect(allowedOrigins()).toEqual(origins);
  });
});

describe("the headers of a response", () => {
  test("are empty if no origin is allowed", () => {
    expect(corsHeaders(app, [])).toEqual({});
    expect(preflightHeaders(["GET"], app, [])).toEqual({ Allow: "GET" });
  });

  test("name an allowed origin and the headers that its pages may read", () => {
    const expected = {
      Vary: "Origin",
      "Access-Control-Allow-Origin": app,
      "Access-Control-Expose-Headers": "Deprecation, ETag, Link, RateLimit-Policy, Retry-After, Sunset, x-request-id",
    };
    expect(corsHeaders(app, ["https://other.example.com", app])).toEqual(expected);
    expect(corsHeaders(app, ["*"])).toEqual(expected);
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
  ])("name no other origin, such as %s", (origin) => {
    expect(corsHeaders(origin, [app])).toEqual({ Vary: "Origin" });
    expect(preflightHeaders(["GET"], origin, [app])).toEqual({ Vary: "Origin", Allow: "GET" });
  });
});

describe("a preflight", () => {
  test("allows the path's methods and every header that an operation reads", () => {
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

  test("allows HEAD wherever GET is allowed", () => {
    expect(methodsOf([{ method: "GET" }, { method: "POST" }])).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
    expect(methodsOf([{ method: "PUT" }, { method: "DELETE" }])).toEqual(["PUT", "DELETE", "OPTIONS"]);
  });
});
