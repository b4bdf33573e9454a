import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { GetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { invalid, notFound, ServiceError } from "../../../shared/api/errors.ts";
import { operationObject } from "../../../shared/api/openapi/operationObject.ts";
import { defineOperation, E4 } from "../../../shared/api/operation.ts";
import { PAGE, pagedQuery } from "../../../shared/api/parameters.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { newInvitationToken } from "../../../shared/auth/invitationTokens.ts";
import { createSecret } from "../../../shared/auth/secrets.ts";
import { endpoint } from "../../../shared/http/endpoint.ts";
import { json, list } from "../../../shared/http/handlerResult.ts";
import { receive } from "../../../shared/http/received.ts";
import { requestSchema } from "../../../shared/http/requestSchema.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { requestEvent, type TestRequest, testContext } from "../../requestEvent.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

const spPath = "/service-providers/{sp_id}/crbs/{crb_id}/things/{thing_id}";
const crbPath = "/crbs/{crb_id}/things/{thing_id}";
const success = { schema: z.object({}), description: "", example: {} };
const scope = "point-of-sale:read";

const read = defineOperation({
  handler: "things/readThing",
  routes: [
    { operationId: "readCrbThing", method: "GET", path: spPath, caller: "serviceProvider", scope },
    { operationId: "readThing", method: "GET", path: crbPath, caller: "crb", scope },
  ],
  tag: "",
  summary: "",
  query: z.object(PAGE),
  success,
  errors: E4,
  permissionSets: [],
});

const change = defineOperation({
  ...read,
  handler: "things/changeThing",
  routes: [{ operationId: "changeThing", method: "PUT", path: spPath, caller: "serviceProvider", scope }],
  body: z.strictObject({ name: z.string() }),
});

const table = useTestTable();
const [spId, crbId, thingId] = [randomUUID(), randomUUID(), randomUUID()];
let sp = "";
let crb = "";
beforeAll(async () => {
  await table().put({ ...associationKey(spId, crbId) });
  const key = async (kind: "serviceProvider" | "crb", id: string) =>
    (await issueCredential(table(), { owner: { kind, id }, spId, scopes: [scope] })).secret;
  sp = await key("serviceProvider", spId);
  crb = await key("crb", crbId);
});
afterEach(() => {
  vi.restoreAllMocks();
  // Removes the functions that a test runs at calls of the table.
  interceptCalls(table());
});

const spRequest = (more: Partial<TestRequest> = {}): TestRequest => ({
  resource: spPath,
  path: { sp_id: spId, crb_id: crbId, thing_id: thingId },
  authorization: sp,
  ...more,
});
const crbRequest = (more: Partial<TestRequest> = {}): TestRequest => ({
  resource: crbPath,
  path: { crb_id: crbId, thing_id: thingId },
  authorization: crb,
  ...more,
});

async function call(handler: ReturnType<typeof endpoint>, request: TestRequest) {
  const result = await handler(requestEvent(request), testContext);
  return { ...result, json: JSON.parse(result.body) };
}

test("the handler gets typed input, and the caller gets the response with the common headers", async () => {
  const handler = endpoint(read, async ({ path, query, principal }) => json({ path, query, owner: principal.owner }));
  const request = spRequest({ query: { limit: ["5"] } });
  const upper = Object.fromEntries(Object.entries(request.path ?? {}).map(([name, id]) => [name, id.toUpperCase()]));
  const { json: parsed, ...result } = await call(handler, { ...request, path: upper });
  expect(parsed).toEqual({
    path: request.path,
    query: { limit: 5, offset: 0 },
    owner: { kind: "serviceProvider", id: spId },
  });
  expect(result).toMatchObject({
    statusCode: 200,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "private, no-cache",
      ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      "x-request-id": "test-request",
    },
  });
});

test("a change, and a response with a signed link, have no ETag", async () => {
  const handle = async () => json({});
  const link = { ...read, permissionSets: ["documents:sign"] } as const;
  for (const [handler, request] of [
    [endpoint(change, handle), spRequest({ method: "POST", body: { name: "x" } })],
    [endpoint(link, handle), spRequest()],
  ] as const) {
    const { statusCode, headers } = await call(handler, { ...request, headers: { "If-None-Match": "*" } });
    expect([statusCode, headers?.ETag, headers?.["Cache-Control"]]).toEqual([200, undefined, "no-store"]);
  }
});

test("a list's page is not read for a caller who has its ETag, nor for a caller without access", async () => {
  let pages = 0;
  const state = { text: "state", changedAt: 0 };
  const body = async () => ({ text: `{"page":${++pages}}` });
  const handler = endpoint(read, async () => ({ state, body }));
  const { headers } = await call(handler, spRequest());
  expect(pages).toBe(1);
  const conditional = { "If-None-Match": String(headers?.ETag) };
  const response = await handler(requestEvent(spRequest({ headers: conditional })), testContext);
  expect([response.statusCode, response.body, response.headers?.ETag, pages]).toEqual([304, "", headers?.ETag, 1]);
  expect(response.headers).not.toHaveProperty("Content-Type");
  expect((await call(handler, spRequest({ headers: conditional, authorization: undefined }))).statusCode).toBe(401);
  expect((await call(handler, spRequest({ headers: conditional, query: { limit: ["0"] } }))).statusCode).toBe(422);
  expect((await call(handler, spRequest({ headers: conditional, query: { limit: ["7"] } }))).statusCode).toBe(200);
  expect(pages).toBe(2);
});

test("a page links to the next one, and a list without a total has no links", async () => {
  const page = list({ total: 3, records: ['{"id":1}'] }, 0);
  const handler = endpoint({ ...read, query: pagedQuery }, async () => page);
  const { headers } = await call(handler, spRequest({ query: { limit: ["1"] } }));
  expect(headers).toMatchObject({ Link: '<?limit=1&offset=1>; rel="next"' });
  const withoutTotal = { body: () => ({ text: '{"data":[]}', records: 0 }) };
  const other = await call(
    endpoint({ ...read, query: pagedQuery }, async () => withoutTotal),
    spRequest({ query: { limit: ["1"], offset: ["1"] } }),
  );
  expect(other.headers).not.toHaveProperty("Link");
});

test("a deprecated operation names its days in every response and in the description", async () => {
  const deprecated = { since: "2027-01-01", sunset: "2028-06-30", replacement: "readThing" };
  const operation = defineOperation({ ...read, deprecated });
  const handler = endpoint(operation, async () => json({}));
  const expected = { Deprecation: "@1798761600", Sunset: "Fri, 30 Jun 2028 23:59:59 GMT" };
  for (const [request, status] of [
    [spRequest(), 200],
    [spRequest({ authorization: "sk_unknown" }), 401],
  ] as const) {
    const { statusCode, headers } = await handler(requestEvent(request), testContext);
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject(expected);
  }
  const { headers } = await endpoint(read, async () => json({}))(requestEvent(spRequest()), testContext);
  expect(headers).not.toHaveProperty("Deprecation");
  const described = operationObject(operation, operation.routes[0]);
  expect(described.deprecated).toBe(true);
  expect(described.description).toContain("Use `readThing` instead. It works until 2028-06-30.");
});

describe("a page of another origin", () => {
  const origin = "https://app.example.com";
  const readHeaders = async (more: Partial<TestRequest>) => {
    const handler = endpoint(read, async () => json({}));
    const { statusCode, headers } = await call(handler, spRequest({ headers: { origin }, ...more }));
    return [statusCode, headers?.["Access-Control-Allow-Origin"], headers?.Vary];
  };
  afterEach(() => void vi.unstubAllEnvs());

  test("may read responses and errors if its stage allows the origin", async () => {
    vi.stubEnv("ALLOWED_ORIGINS", `https://other.example.com,${origin}`);
    expect(await readHeaders({})).toEqual([200, origin, "Origin"]);
    expect(await readHeaders({ authorization: undefined })).toEqual([401, origin, "Origin"]);
  });

  test.each(["", undefined])("gets no CORS headers from a stage that allows no origin: %j", async (origins) => {
    vi.stubEnv("ALLOWED_ORIGINS", origins);
    expect(await readHeaders({})).toEqual([200, undefined, undefined]);
  });
});

test("errors have the common headers too", async () => {
  const { headers } = await call(endpoint(read, vi.fn()), spRequest({ authorization: undefined }));
  expect(headers).toEqual({
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "x-request-id": "test-request",
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "RateLimit-Policy": '"credential";q=600;w=60',
    "WWW-Authenticate": "Bearer",
  });
});

test("a replayed event is not changed", async () => {
  const event = Object.freeze(requestEvent(spRequest()));
  expect((await endpoint(read, async () => json({}))(event, testContext)).statusCode).toBe(200);
});

describe("the first failure in the specification's order is returned", () => {
  const badQuery = { limit: ["0"] };
  const other = { sp_id: randomUUID(), crb_id: randomUUID(), thing_id: thingId };
  test.each<[name: string, () => TestRequest]>([
    [
      "401 before malformed ids and query",
      () => spRequest({ authorization: "x", path: { sp_id: "x" }, query: badQuery }),
    ],
    [
      "403 in the wrong path family before malformed ids",
      () => spRequest({ authorization: crb, path: { sp_id: "x", crb_id: "x", thing_id: "x" } }),
    ],
    ["403 for another sp before query", () => spRequest({ path: other, query: badQuery })],
    [
      "404 for a CRB without an association before query",
      () => spRequest({ path: { ...other, sp_id: spId }, query: badQuery }),
    ],
    ["422 for the query before the handler's 404", () => spRequest({ query: badQuery })],
    ["422 for a malformed sub-resource id", () => spRequest({ path: { sp_id: spId, crb_id: crbId, thing_id: "x" } })],
    [
      "404 in the CRB's path family for a malformed sub-resource id",
      () => crbRequest({ path: { crb_id: crbId, thing_id: "x".repeat(5000) } }),
    ],
    [
      "422 for the query before that 404",
      () => crbRequest({ path: { crb_id: crbId, thing_id: "x" }, query: badQuery }),
    ],
    ["404 in the CRB's path family for another CRB before query", () => crbRequest({ path: other, query: badQuery })],
  ])("%s", async (name, request) => {
    const status = Number(name.slice(0, 3));
    const handle = vi.fn(async () => {
      throw notFound();
    });
    expect((await call(endpoint(read, handle), request())).statusCode).toBe(status);
    if (status === 422) expect(handle).not.toHaveBeenCalled();
  });

  test("a malformed path id is reported before the query, and alone", async () => {
    const request = spRequest({ path: { sp_id: spId, crb_id: crbId, thing_id: "Nº 1" }, query: badQuery });
    expect((await call(endpoint(read, vi.fn()), request)).json.fields).toEqual({
      "path.thing_id": { message: "must be a uuid", value: "Nº 1" },
    });
  });

  test("failures of query and body are reported together", async () => {
    const request = spRequest({ method: "PUT", query: badQuery, body: { name: 1 } });
    expect(Object.keys((await call(endpoint(change, vi.fn()), request)).json.fields)).toEqual([
      "query.limit",
      "body.name",
    ]);
  });
});

test.each([
  ["a read", read, "GET"],
  ["a change", change, "PUT"],
] as const)("%s begins only after access was checked", async (_, operation, method) => {
  const handle = vi.fn(async () => json({}));
  const further = vi.fn(async () => ({}));
  const handler = endpoint(operation, handle, further);
  const request = spRequest({ resource: spPath, method, ...(method === "PUT" && { body: { name: "a" } }) });
  const otherCrb = { sp_id: spId, crb_id: randomUUID(), thing_id: thingId };
  expect((await call(handler, { ...request, path: otherCrb })).statusCode).toBe(404);
  expect((await call(handler, { ...request, path: { ...otherCrb, sp_id: randomUUID() } })).statusCode).toBe(403);
  expect((await call(handler, { ...request, authorization: createSecret("sk", randomUUID()) })).statusCode).toBe(401);
  expect((await call(handler, { ...request, authorization: "Basic x" })).statusCode).toBe(401);
  expect(handle).not.toHaveBeenCalled();
  expect(further).not.toHaveBeenCalled();
  expect((await call(handler, request)).statusCode).toBe(200);
  expect(handle).toHaveBeenCalledOnce();
});

test("a page too large for the platform is a 422 on query.limit", async () => {
  const handler = endpoint(read, async () =>
    list({ total: 9, records: Array(9).fill(`{"a":"${"x".repeat(1e6)}"}`) }, 0),
  );
  const { statusCode, json: parsed } = await call(handler, spRequest());
  expect(statusCode).toBe(422);
  expect(parsed.fields["query.limit"].message).toContain("must be at most 6 here");
});

test("a value that a handler rejects is reported as it was received", async () => {
  const message = "too much for a Sunday";
  const handler = endpoint(change, async () => {
    throw invalid({ "path.thing_id": { message }, "query.limit": { message }, "body.name": { message } });
  });
  const request = spRequest({ method: "PUT", query: { limit: ["007"] }, body: { name: "Ñ" } });
  expect((await call(handler, request)).json.fields).toEqual({
    "path.thing_id": { message, value: thingId },
    "query.limit": { message, value: "007" },
    "body.name": { message, value: "Ñ" },
  });
});

test("a failing header is reported with its name and value", async () => {
  const handler = endpoint({ ...read, headers: z.object({ "x-color": z.enum(["red"]) }) }, vi.fn());
  const { json: parsed } = await call(handler, spRequest({ headers: { "X-Color": "blue" } }));
  expect(parsed.fields).toEqual({ "header.x-color": { message: expect.any(String), value: "blue" } });
});

test("a parameter that is sent twice is rejected with both of its values", async () => {
  const { json: parsed } = await call(endpoint(read, vi.fn()), spRequest({ query: { limit: ["5", "6"] } }));
  expect(parsed.fields["query.limit"].value).toEqual(["5", "6"]);
});

test("a malformed id in the CRB's path family does not reach the handler", async () => {
  const handle = vi.fn(async () => json({}));
  const request = crbRequest({ path: { crb_id: crbId, thing_id: "x" } });
  expect((await call(endpoint(read, handle), request)).statusCode).toBe(404);
  expect(handle).not.toHaveBeenCalled();
});

test("failures of an additional check are reported together with those of the schemas", async () => {
  const handle = vi.fn(async () => json({}));
  const further = vi.fn(async () => ({ "body.name": { message: "names nothing" } }));
  const request = spRequest({ method: "PUT", body: { name: "x" } });
  const upper = { ...request, path: { sp_id: spId, crb_id: crbId.toUpperCase(), thing_id: thingId } };
  const named = { "body.name": { message: "names nothing", value: "x" } };
  expect((await call(endpoint(change, handle, further), upper)).json.fields).toEqual(named);
  expect(further).toHaveBeenCalledWith({ sp_id: spId, crb_id: crbId, thing_id: thingId }, { name: "x" });
  const both = await call(endpoint(change, handle, further), { ...request, query: { limit: ["0"] } });
  expect(Object.keys(both.json.fields).sort()).toEqual(["body.name", "query.limit"]);
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  ["a response", 200, async () => json({})],
  ["an error", 409, () => Promise.reject(new ServiceError("conflict"))],
])("%s waits until the use of the credential is recorded", async (_, status, result) => {
  const { secret } = await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: [scope] });
  const order: string[] = [];
  const handled = Promise.withResolvers<void>();
  interceptCalls(table()).before = async (command) => {
    if (command !== "UpdateItemCommand") return;
    await handled.promise;
    // A response that does not wait arrives within this time.
    await sleep(100);
    order.push("recorded");
  };
  const handler = endpoint(read, () => {
    handled.resolve();
    return result();
  });
  const { statusCode } = await call(handler, crbRequest({ authorization: secret }));
  order.push("response");
  expect([statusCode, order]).toEqual([status, ["recorded", "response"]]);
});

test("if the association of an invited user ends during a request, the response is 401", async () => {
  const [invitedCrbId, invitationId] = [randomUUID(), randomUUID()];
  const association = associationKey(spId, invitedCrbId);
  await table().put({ ...association });
  const invitation = { invitationId, crbId: invitedCrbId, spId };
  const { token, write } = await newInvitationToken(table(), invitation, new Date());
  await table().transact([write]);
  const resource = "/onboarding/things";
  const operation = defineOperation({
    ...read,
    handler: "things/readInvitedThing",
    routes: [{ operationId: "readInvitedThing", method: "GET", path: resource, caller: "invitedUser" }],
  });
  const calls = interceptCalls(table());
  const reads: unknown[] = [];
  const handler = endpoint(operation, async () => {
    await table().delete(association);
    calls.before = (_, input) => void reads.push((input as GetItemCommandInput).ConsistentRead);
    throw notFound();
  });
  const { statusCode } = await call(handler, { resource, authorization: token });
  // DynamoDB may return stale data to other reads; the engine of the tests never does.
  expect([statusCode, reads]).toEqual([401, [true]]);
});

test("a response is created once, even without an ETag", async () => {
  const body = vi.fn(() => ({ text: "{}" }));
  const request = spRequest({ method: "PUT", body: { name: "x" } });
  const handler = endpoint(change, async () => ({ body }));
  expect((await call(handler, request)).statusCode).toBe(200);
  expect(body).toHaveBeenCalledOnce();
});

describe("the log", () => {
  test("has one line per request, and nothing about a denied caller", async () => {
    const info = vi.spyOn(log, "info");
    const began = performance.now();
    const handler = endpoint(read, async () => json({}));
    for (const authorization of [sp, "Basic secret"]) await call(handler, spRequest({ authorization }));
    const line = { request_id: "test-request", operation_id: "readCrbThing", duration_ms: expect.any(Number) };
    expect(info.mock.calls.map(([message, line]) => [message, line])).toEqual([
      ["access", expect.objectContaining({ ...line, status: 200 })],
      ["request", { ...line, status: 401 }],
    ]);
    for (const [, line] of info.mock.calls as unknown as [string, { duration_ms: number }][])
      expect(line.duration_ms).toBeLessThanOrEqual(performance.now() - began + 1);
  });

  test("has an unexpected failure without its message, and the response is a plain 500", async () => {
    const error = vi.spyOn(log, "error");
    const handler = endpoint(read, async () => {
      throw Object.assign(new RangeError("555-0100"), { code: "EODD" });
    });
    const { statusCode, json: parsed } = await call(handler, spRequest());
    expect(statusCode).toBe(500);
    expect(parsed).toEqual({
      name: "Internal Server Error",
      code: "unexpected",
      message: "The service failed unexpectedly. Try again later.",
      status: 500,
    });
    expect(error.mock.calls).toEqual([
      [
        "unexpected error",
        { request_id: "test-request", error: expect.objectContaining({ name: "RangeError", code: "EODD" }) },
      ],
    ]);
    expect(JSON.stringify(error.mock.calls)).not.toContain("555-0100");
  });

  test("has a failure that the caller gets, if it has a cause", async () => {
    const error = vi.spyOn(log, "error");
    for (const [details, logged] of [
      [{}, 0],
      [{ cause: new RangeError("555-0100") }, 1],
    ] as const) {
      const handler = endpoint(read, async () => {
        throw new ServiceError("unavailable", details);
      });
      const { statusCode, json: parsed } = await call(handler, spRequest());
      expect([statusCode, parsed.name, error.mock.calls.length]).toEqual([503, "Service Unavailable", logged]);
    }
    expect(error.mock.calls[0]?.[1]).toMatchObject({ error: { name: "RangeError" } });
  });
});

test("an error with data as its cause is not reported as a failing input", async () => {
  for (const cause of [{ package: "@middy/validator" }, { package: "other", data: {} }]) {
    const handler = endpoint(read, async () => {
      throw new Error("unexpected", { cause });
    });
    expect((await call(handler, spRequest())).statusCode).toBe(500);
  }
});

test("a request for another operation is an error of the stage", async () => {
  const handler = endpoint(read, vi.fn());
  await expect(handler(requestEvent(spRequest({ resource: "/other" })), testContext)).rejects.toThrow(
    "things/readThing has no route /other",
  );
});

test("a request whose access was not checked is not parsed", () => {
  const [route] = read.routes;
  const event = { ...requestEvent(spRequest()), route };
  expect(() => requestSchema(read)({ ...event, received: receive(read, event), arrived: 0 })).toThrow(
    "access was not checked",
  );
});
