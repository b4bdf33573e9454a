import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listen } from "../../../infra/local/listen.ts";
import { createGateway, type Gateway } from "../../../infra/local/server.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const notFoundBody = { name: "Not Found", code: "route_not_found", status: 404, message: expect.any(String) };

/** The events that the function behind the gateway got, and its result. */
let calls: { file: string; event: APIGatewayProxyEvent; requestId: string }[];
let answer: (event: APIGatewayProxyEvent) => unknown;
let ready: boolean;
let reported: Parameters<Gateway["report"]>[0][];

const server = createGateway({
  operationRegistry,
  allowedOrigins: ["https://app.example.com"],
  async invoke(file, event, requestId) {
    calls.push({ file, event: event as APIGatewayProxyEvent, requestId });
    return answer(event as APIGatewayProxyEvent);
  },
  isReady: () => ready,
  report: (line) => reported.push(line),
});
let port: number;

beforeAll(async () => {
  port = await listen(server, 0);
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
  reported = [];
  ready = true;
  answer = () => ({ statusCode: 200, headers: { "Content-Type": "application/json" }, body: "{}" });
});

/** A bare HTTP call, without any decoding or normalizing of the path and without additional headers. */
async function call(path: string, options: RequestOptions & { body?: string | Buffer } = {}) {
  const { body, ...rest } = options;
  const sent = request({ host: "127.0.0.1", port, path, ...rest }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

test("an event above the limit of Lambda gets 413, if the stage has limits", async () => {
  const limited = createGateway({
    operationRegistry,
    allowedOrigins: [],
    maxEventBytes: 100_000,
    invoke: async () => ({ statusCode: 200, body: "{}" }),
    isReady: () => true,
    report: () => undefined,
  });
  const port = await listen(limited, 0);
  const send = async (size: number) =>
    (await fetch(`http://127.0.0.1:${port}/auth/token`, { method: "POST", body: "x".repeat(size) })).status;
  expect([await send(90_000), await send(100_001)]).toEqual([200, 413]);
  limited.close();
});

test("plain HTTP does not require browsers to use HTTPS", async () => {
  answer = () => ({ statusCode: 200, headers: { "Strict-Transport-Security": "max-age=1" }, body: "{}" });
  expect((await call("/openapi.json")).headers).not.toHaveProperty("strict-transport-security");
});

describe("the event", () => {
  test("has the fields that API Gateway passes to a Lambda proxy integration", async () => {
    await call("/crbs/a%20b/customers?limit=5&limit=6&last_updated_from=&x=%C3%A4+b", {
      headers: { "User-Agent": "test", "X-Many": ["1", "2"], Authorization: "secret" },
    });
    expect(calls).toHaveLength(1);
    const [{ file, event, requestId } = expect.fail()] = calls;
    expect(file).toBe("customers/listCustomers");
    expect(requestId).toMatch(uuidForm);
    expect(event).toMatchObject({
      resource: "/crbs/{crb_id}/customers",
      path: "/crbs/a%20b/customers",
      httpMethod: "GET",
      pathParameters: { crb_id: "a b" },
      queryStringParameters: { limit: "6", last_updated_from: "", x: "ä b" },
      multiValueQueryStringParameters: { limit: ["5", "6"], last_updated_from: [""], x: ["ä b"] },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
    });
    expect(event.headers).toMatchObject({ "User-Agent": "test", "X-Many": "2", Authorization: "secret" });
    expect(event.multiValueHeaders).toMatchObject({ "X-Many": ["1", "2"], Authorization: ["secret"] });
    expect(event.requestContext).toMatchObject({
      requestId,
      stage: "local",
      httpMethod: "GET",
      resourcePath: "/crbs/{crb_id}/customers",
      identity: { sourceIp: "127.0.0.1", userAgent: "test" },
      requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    });
  });

  test("has null for absent parameters, and the body as text", async () => {
    await call("/auth/token", { method: "POST", body: '{"grant_type":"ü"}' });
    expect(calls[0]?.event).toMatchObject({
      body: '{"grant_type":"ü"}',
      pathParameters: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
  });

  test("keeps hostile paths and queries unchanged", async () => {
    await call("/crbs/%zz?%=%&__proto__=1&constructor=2");
    expect(calls[0]?.event.pathParameters).toEqual({ crb_id: "%zz" });
    expect(Object.keys(calls[0]?.event.queryStringParameters ?? {})).toEqual(["%", "__proto__", "constructor"]);
  });

  test("keeps an id of 5,000 characters", async () => {
    const id = "x".repeat(5_000);
    expect((await call(`/crbs/${id}`)).status).toBe(200);
    expect(calls[0]?.event.pathParameters).toEqual({ crb_id: id });
  });
});

test("the root is served by a page", async () => {
  await call("/");
  expect(calls.map(({ file }) => file)).toEqual(["description/referencePage"]);
});

describe("the response", () => {
  test("is that of the function, with the request id", async () => {
    answer = () => ({
      statusCode: 201,
      headers: { "X-One": 1 },
      multiValueHeaders: { "X-Two": ["a", "b"] },
      body: "ü",
    });
    const response = await call("/crbs/x");
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ "x-one": "1", "x-two": "a, b", "content-length": "2" });
    expect(response.headers["x-request-id"]).toBe(calls[0]?.requestId);
    expect(response.body.toString()).toBe("ü");
    expect(reported).toMatchObject([{ method: "GET", path: "/crbs/x", status: 201 }]);
  });

  test("to HEAD is that to GET without the body", async () => {
    answer = () => ({ statusCode: 200, headers: { "X-One": "1" }, body: "0123456789" });
    const response = await call("/crbs/x", { method: "HEAD" });
    expect(response.headers).toMatchObject({ "x-one": "1", "content-length": "10" });
    expect(response.body).toHaveLength(0);
  });

  describe("is compressed", () => {
    const long = JSON.stringify("x".repeat(2_000));
    beforeEach(() => {
      answer = () => ({ statusCode: 200, body: long });
    });

    test.each(["gzip", "deflate, gzip;q=0.5", "*", "GZIP"])("for Accept-Encoding: %s", async (coding) => {
      const response = await call("/crbs/x", { headers: { "Accept-Encoding": coding } });
      expect(response.headers["content-encoding"]).toBe("gzip");
      expect(gunzipSync(response.body).toString()).toBe(long);
      expect(response.headers["content-length"]).toBe(String(response.body.length));
    });

    test.each(["", "deflate", "gzip;q=0", "identity, gzip; q=0.0"])("not for Accept-Encoding: %j", async (coding) => {
      const response = await call("/crbs/x", { headers: { "Accept-Encoding": coding } });
      expect(response.headers["content-encoding"]).toBeUndefined();
      expect(response.body.toString()).toBe(long);
    });

    test("not below one kilobyte", async () => {
      answer = () => ({ statusCode: 200, body: "short" });
      const response = await call("/crbs/x", { headers: { "Accept-Encoding": "gzip" } });
      expect(response.headers["content-encoding"]).toBeUndefined();
    });
  });
});

describe("OPTIONS", () => {
  const origin = "https://app.example.com";
  const cors = (headers: IncomingMessage["headers"]) =>
    Object.keys(headers).filter((name) => name.startsWith("access-control-"));

  test.each([
    ["/crbs/x", "GET, HEAD, OPTIONS"],
    ["/auth/token", "POST, OPTIONS"],
    ["/service-providers/x/crbs", "GET, HEAD, POST, OPTIONS"],
    ["/service-providers/x/crbs/y", "GET, HEAD, PUT, OPTIONS"],
    ["/openapi.json", "GET, HEAD, OPTIONS"],
  ])("to %s gets 204 with the allowed methods, and calls no function", async (path, methods) => {
    const response = await call(path, { method: "OPTIONS" });
    expect([response.status, response.body.length]).toEqual([204, 0]);
    expect(response.headers).toMatchObject({ allow: methods, "cache-control": "no-store", vary: "Origin" });
    expect(response.headers["x-request-id"]).toMatch(uuidForm);
    expect(response.headers["content-length"]).toBeUndefined();
    expect(cors(response.headers)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test("of an allowed origin is a preflight request, and the page can read errors", async () => {
    const response = await call("/crbs/x", { method: "OPTIONS", headers: { Origin: origin } });
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    });
    const unknown = await call("/nothing", { headers: { Origin: origin } });
    expect([unknown.status, unknown.headers["access-control-allow-origin"]]).toEqual([404, origin]);
  });

  test("of another origin allows nothing", async () => {
    const response = await call("/crbs/x", { method: "OPTIONS", headers: { Origin: "https://evil.example" } });
    expect([response.status, cors(response.headers)]).toEqual([204, []]);
  });
});

test("304 has no body, length or compression", async () => {
  answer = () => ({ statusCode: 304, headers: { ETag: 'W/"x"' }, body: "" });
  const response = await call("/crbs/x", { headers: { "Accept-Encoding": "gzip" } });
  expect([response.status, response.headers.etag, response.body.length]).toEqual([304, 'W/"x"', 0]);
  expect(response.headers["content-length"]).toBeUndefined();
  expect(response.headers["content-encoding"]).toBeUndefined();
});

describe("the gateway responds with", () => {
  test.each([
    ["GET", "/nothing/here"],
    ["DELETE", "/crbs/x"],
    ["OPTIONS", "/nothing/here"],
    ["OPTIONS", "/crbs"],
    ["POST", "/"],
    ["GET", "//"],
  ])("404 to %s %s", async (method, path) => {
    const response = await call(path, { method });
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toEqual(notFoundBody);
    expect(response.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
    expect(response.headers["x-request-id"]).toMatch(uuidForm);
    expect(calls).toEqual([]);
  });

  test("413 to a body above 10 MB, and not to one of 10 MB", async () => {
    const limit = 10 * 1024 * 1024;
    const refused = await call("/auth/token", { method: "POST", body: Buffer.alloc(limit + 1, "x") });
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ name: "Payload Too Large", status: 413 });
    expect(calls).toEqual([]);
    expect((await call("/auth/token", { method: "POST", body: Buffer.alloc(limit, "x") })).status).toBe(200);
  });

  test("413 before the body is sent, if its declared length is too large", async () => {
    const headers = { Expect: "100-continue", "Content-Length": String(20 * 1024 * 1024) };
    const sent = request({ host: "127.0.0.1", port, path: "/auth/token", method: "POST", headers });
    sent.flushHeaders();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(await text(response))).toMatchObject({ status: 413 });
    sent.on("error", () => undefined).destroy();
  });

  test.each([
    ["throws", () => Promise.reject(new Error("secret detail"))],
    ["answers nothing", () => undefined],
    ["answers without a status", () => ({ body: "x" })],
    ["answers a header that cannot be sent", () => ({ statusCode: 200, headers: { "X-Bad": "a\nb" } })],
  ])("500 if the function %s", async (_case, result) => {
    answer = result;
    const response = await call("/crbs/x");
    expect(response.status).toBe(500);
    expect(JSON.parse(response.body.toString())).toEqual({
      name: "Internal Server Error",
      code: "unexpected",
      status: 500,
      message: expect.not.stringContaining("secret"),
    });
    expect(reported[0]?.failure).toBeInstanceOf(Error);
  });

  test("503 while the stage is starting", async () => {
    ready = false;
    const response = await call("/crbs/x");
    expect(response.status).toBe(503);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(response.body.toString())).toMatchObject({ name: "Service Unavailable", status: 503 });
    expect(calls).toEqual([]);
  });

  test("a caller who disconnects during a request does not affect others", async () => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path: "/auth/token",
      method: "POST",
      headers: { "Content-Length": 9 },
    });
    sent.on("error", () => undefined).write("x");
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).not.toBe(0);
    sent.destroy();
    expect((await call("/crbs/x")).status).toBe(200);
    expect(reported).toMatchObject([{ path: "/crbs/x", status: 200 }]);
  });
});
