import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { jwtVerify } from "jose";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { keyedPaths } from "../../clients/typescript/apiClient.ts";
import {
  ApiClient,
  ApiError,
  type ChangeStore,
  type ClientCredentials,
  errorClasses,
  followChanges,
  listRecords,
  NotFoundError,
  type ResponseInfo,
  readFeed,
  ServiceUnavailableError,
  type VerifiableStore,
  verifyCopy,
} from "../../clients/typescript/index.ts";
import { version } from "../../clients/typescript/version.ts";
import { errorKinds } from "../../shared/api/errors.ts";
import { openApi } from "../../shared/api/openapi/openApi.ts";

const sp_id = "0b7e3a52-6c1d-4f0e-9a38-5d2c7f41e690";
const crb_id = "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8";
const provider = "/service-providers/{sp_id}";
const customers = "/service-providers/{sp_id}/crbs/{crb_id}/customers";
const path = { sp_id, crb_id };
const secret = "sk_never-in-a-message";
const pair: ClientCredentials = { clientId: "id", clientSecret: secret };

type Reply = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A client of a service that gives these responses, one after the other, and the requests that arrived. */
function scripted(replies: Reply[], options: Partial<ConstructorParameters<typeof ApiClient>[0]> = {}) {
  const requests: {
    method: string;
    url: string;
    headers: Headers;
    authorization: string | null;
    key: string | null;
    body: string;
  }[] = [];
  const send = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const [authorization, key] = [headers.get("Authorization"), headers.get("Idempotency-Key")];
    requests.push({ method, url, headers, authorization, key, body: await request.clone().text() });
    const reply = replies.shift() ?? expect.fail("a request too many");
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(request) : reply;
  };
  const client = new ApiClient({ baseUrl: "https://api.example.com", credential: secret, send, ...options });
  return { client, requests };
}

const read = (client: ApiClient) => client.get(provider, { params: { path: { sp_id } } });
const ok = (body: object = { id: sp_id }, headers = {}) => Response.json(body, { headers });
const fault = (status: number, retryAfter?: string, code = "unavailable") =>
  Response.json(
    { name: "Fault", code, message: "Not now.", status },
    { status, headers: { "x-request-id": "r1", ...(retryAfter !== undefined && { "Retry-After": retryAfter }) } },
  );
const token = (name: string, expires_in = 3600) => ok({ access_token: name, expires_in, expires_at: 1 });

const caught = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("no error"),
    (error: unknown) => error as Error,
  );

const description = openApi();
const statuses = Object.values(errorKinds).map(({ status }) => status);

afterEach(() => void vi.useRealTimers());

describe.concurrent("a request", () => {
  test("stores deposits, and lists reconciliation days", async () => {
    const crb = "/service-providers/{sp_id}/crbs/{crb_id}";
    const counts = { accepted: 1, unchanged: 0, replaced: 0 };
    const { client, requests } = scripted([ok(counts), ok({ data: [], cursor: "c", has_more: false })]);
    const deposits = [{ id: "1", posted_date: "2026-03-02", amount: 1_284_000, type: "cash" as const }];
    expect(await client.put(`${crb}/deposits`, { params: { path }, body: { deposits } })).toEqual(counts);
    const { data } = await client.get(`${crb}/reconciliation-days`, { params: { path, query: { limit: 5 } } });
    expect(data).toEqual([]);
    const [stored, listed] = requests;
    expect([stored?.method, JSON.parse(stored?.body ?? "")]).toEqual(["PUT", { deposits }]);
    expect(listed?.url).toContain(`/crbs/${crb_id}/reconciliation-days?limit=5`);
  });

  test.each([429, 503, 500, 502])("that gets %i is repeated until it succeeds", async (status) => {
    const { client, requests } = scripted([fault(status, "0"), fault(status, "0"), ok()]);
    expect(await read(client)).toEqual({ id: sp_id });
    expect(requests).toHaveLength(3);
  });

  test("is repeated after a lost connection, a body that breaks off, and a timeout", async () => {
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error("reset")) });
    const silent = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener("abort", () => reject(request.signal.reason)),
      );
    const faults = [new TypeError("fetch failed"), new Response(broken), silent];
    const clients = faults.map((each) => scripted([each, ok()], { timeoutMs: 50 }).client);
    for (const record of await Promise.all(clients.map(read))) expect(record).toEqual({ id: sp_id });
  });

  test("waits at least as long as Retry-After says", async () => {
    const { client } = scripted([fault(429, "1"), ok()]);
    const began = performance.now();
    await read(client);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test("ends with its error after the last attempt, or if Retry-After is too long", async () => {
    const many = scripted([fault(503, "0"), fault(503, "0")], { maxAttempts: 2 });
    expect(await caught(read(many.client))).toMatchObject({ name: "ServiceUnavailableError", status: 503 });
    const five = scripted(Array.from({ length: 5 }, () => fault(503, "0")));
    expect(await caught(read(five.client))).toMatchObject({ status: 503 });
    expect(five.requests).toHaveLength(5);
    const long = scripted([fault(429, "86400", "rate_limited")]);
    expect(await caught(read(long.client))).toMatchObject({ code: "rate_limited", retryAfterSeconds: 86_400 });
    const absurd = scripted([fault(429, "9".repeat(400)), ok()]);
    expect(await read(absurd.client)).toEqual({ id: sp_id });
  });

  test("waits before each attempt, at most as long as the longest wait", async () => {
    const lost = () => new TypeError("fetch failed");
    const { client } = scripted([lost(), fault(503), lost(), ok()], { maxWaitSeconds: 0.05 });
    const began = performance.now();
    await read(client);
    // Three waits of 25 ms or more. Without the limit, they would be 0.5, 1 and 2 seconds or more.
    expect(performance.now() - began).toBeGreaterThanOrEqual(70);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  test("ends with a NoResponseError if no attempt gets a response", async () => {
    const { client } = scripted([new TypeError("fetch failed")], { maxAttempts: 1 });
    const error = await caught(read(client));
    expect(error).toMatchObject({ name: "NoResponseError", cause: new TypeError("fetch failed") });
    expect(error.message).toBe(`GET /service-providers/${sp_id}: no response after 1 attempt`);
  });

  test("stops when its caller aborts it", async () => {
    const { client, requests } = scripted([fault(429, "60"), ok()]);
    const signal = AbortSignal.timeout(30);
    await expect(client.get(provider, { params: { path: { sp_id } }, signal })).rejects.toThrow();
    await sleep(20);
    expect(requests).toHaveLength(1);
  });

  test("that is not safe to repeat is sent once", async () => {
    const { client, requests } = scripted([fault(503, "0")]);
    const access = "/service-providers/{sp_id}/crbs/{crb_id}/access";
    const error = await caught(client.post(access, { params: { path }, body: { name: "Report" } }));
    expect(error).toMatchObject({ status: 503 });
    expect(requests.map(({ key }) => key)).toEqual([null]);
  });

  test("that adds a document is sent once, and any other PUT is repeated", async () => {
    const puts = Object.entries(description.paths ?? {}).flatMap(([at, { put }]) => (put ? [{ at, put }] : []));
    const sentOnce: unknown[] = [];
    for (const { at, put } of puts) {
      const { client, requests } = scripted([fault(503, "0"), fault(503, "0")], { maxAttempts: 2 });
      const ids = Object.fromEntries([...at.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, sp_id]));
      const send = client.put as (path: string, init: object) => Promise<unknown>;
      expect(await caught(send(at, { params: { path: ids }, body: {} }))).toMatchObject({ status: 503 });
      if (requests.length === 1) sentOnce.push(put.operationId);
    }
    expect(sentOnce.sort()).toEqual(["addOnboardingDocument", "addRequirementDocument"]);
    expect(puts.length).toBeGreaterThan(10);
  });

  test("with an idempotency key is repeated with the same key, and the caller's key is kept", async () => {
    const exports = "/service-providers/{sp_id}/crbs/{crb_id}/exports";
    const body = { kinds: ["sales" as const], format: "parquet" as const };
    const { client, requests } = scripted([fault(503, "0"), ok(), ok(), ok()]);
    await client.post(exports, { params: { path }, body });
    await client.post(exports, { params: { path }, body });
    await client.post(exports, { params: { path, header: { "Idempotency-Key": "mine" } }, body });
    const [first, again, second, own] = requests.map(({ key }) => key);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again, own]).toEqual([first, "mine"]);
    expect(second).not.toBe(first);
    expect(JSON.parse(requests[1]?.body ?? "")).toEqual(body);
  });
});

describe.concurrent("a successful response that is cut off", () => {
  const json = { "Content-Type": "application/json" };
  const reset = () => new ReadableStream({ pull: (stream) => stream.error(new TypeError("terminated")) });

  test.each([
    ["within its JSON", () => new Response('{ "id": ', { headers: json })],
    ["before its JSON", () => new Response(null, { headers: json })],
    ["by the end of the connection", () => new Response(reset(), { headers: json })],
  ])("%s is repeated where that is safe", async (_, reply) => {
    expect(await read(scripted([reply(), ok()]).client)).toEqual({ id: sp_id });
    const access = "/service-providers/{sp_id}/crbs/{crb_id}/access";
    const { client, requests } = scripted([reply()]);
    expect(await caught(client.post(access, { params: { path }, body: {} }))).toMatchObject({
      name: "NoResponseError",
    });
    expect(requests).toHaveLength(1);
  });
});

describe("a response that arrives byte by byte", () => {
  let first = "";
  const slow = createServer((socket) => {
    socket.write(first);
    // Without the limit, it would last for 20 seconds.
    const timer = setInterval(() => socket.write(" "), 50);
    setTimeout(() => socket.destroy(), 20_000).unref();
    socket.on("error", () => {}).on("close", () => clearInterval(timer));
  });
  const listening = once(slow.listen(0, "127.0.0.1"), "listening");
  afterAll(() => void slow.close());

  test.each([
    ["in its content", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n"],
    ["until the connection ends", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}"],
    ["in its headers", "HTTP/1.1 200 OK\r\nX-Slow: "],
  ])("%s is a timeout", async (_, beginning) => {
    await listening;
    first = beginning;
    const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const client = new ApiClient({ baseUrl, credential: secret, timeoutMs: 300, maxAttempts: 1 });
    const error = await caught(read(client));
    expect(error).toMatchObject({ name: "NoResponseError", cause: { name: "TimeoutError" } });
  });
});

describe("options", () => {
  test("of some calls share the token", async () => {
    const replies = [token("at_1"), ok(), fault(503, "0"), ok()];
    const { client, requests } = scripted(replies, { credential: pair, headers: { traceparent: "00-1" } });
    const once = client.withOptions({ maxAttempts: 1, headers: { Authorization: "other", "If-None-Match": '"e"' } });
    await read(once);
    expect(await caught(read(once))).toBeInstanceOf(ServiceUnavailableError);
    await read(client);
    expect(requests.map(({ authorization }) => authorization)).toEqual([null, "at_1", "at_1", "at_1"]);
    expect(requests.map(({ headers }) => headers.get("traceparent"))).toEqual([null, null, null, "00-1"]);
    expect(requests.map(({ headers }) => headers.get("If-None-Match"))).toEqual([null, '"e"', '"e"', null]);
  });

  test("can receive successful responses, also those of pages", async () => {
    const page = { metadata: { total: 2 }, data: [{ id: "a" }] };
    const headers = { ETag: '"e1"', "x-request-id": "r1" };
    const { client } = scripted([fault(503, "0"), ok(page, headers), ok(page), fault(404, undefined, "not_found")]);
    const seen: ResponseInfo[] = [];
    const observed = client.withOptions({ onResponse: (response) => seen.push(response) });
    await Array.fromAsync(listRecords(observed.crb(sp_id, crb_id), "/sales", { query: { limit: 1 } }));
    expect(await caught(read(observed))).toBeInstanceOf(NotFoundError);
    expect(seen.map(({ status, requestId }) => [status, requestId])).toEqual([
      [200, "r1"],
      [200, undefined],
    ]);
    expect(seen[0]?.headers.get("etag")).toBe('"e1"');
  });

  test("name the client and its version in User-Agent", async () => {
    const { client, requests } = scripted([token("at_1"), ok(), ok()], { credential: pair });
    await read(client);
    await read(client.withOptions({ headers: { "User-Agent": "mine" } }));
    const agents = requests.map(({ headers }) => headers.get("User-Agent"));
    const own = expect.stringMatching(/^cannabis-business-data-client\/\d+\.\d+\.\d+ Node\/\d/);
    expect(agents).toEqual([own, own, "mine"]);
  });
});

describe("the client of a CRB", () => {
  test("needs no ids", async () => {
    const { client, requests } = scripted([ok(), ok(), ok(), ok(), ok({ data: [], cursor: "a", has_more: false })]);
    const crb = client.crb(sp_id, "a/../b?");
    await crb.get("");
    await crb.get("/sales", { params: { query: { start_date: "2026-01-01" } } });
    await crb.get("/exports/{export_id}", { params: { path: { export_id: "é" } } });
    await crb.post("/exports", { body: { kinds: ["sales"], format: "parquet" } });
    await followChanges(client, crb, "sales", { readCursor: () => undefined, storePage: () => {} });
    const base = `https://api.example.com/service-providers/${sp_id}/crbs/a%2F..%2Fb%3F`;
    const rests = ["", "/sales?start_date=2026-01-01", "/exports/%C3%A9", "/exports", "/changes/sales"];
    expect(requests.map(({ url }) => url)).toEqual(rests.map((rest) => base + rest));
    expect(requests.map(({ key }) => key !== null)).toEqual([false, false, false, true, false]);
  });
});

test("the client sends idempotency keys to the operations that accept them", () => {
  const accepting = Object.entries(description.paths ?? {}).flatMap(([at, operations]) => {
    const { parameters = [] } = (operations.post ?? {}) as { parameters?: { name?: string }[] };
    return parameters.some(({ name }) => name === "Idempotency-Key") ? [at] : [];
  });
  expect([...keyedPaths].sort()).toEqual(accepting.sort());
});

describe("an error", () => {
  test("has the code, the fields and the request id of the response", async () => {
    const fields = { "query.limit": { message: "must be an integer from 1 to 1000", value: "0" } };
    const record = { name: "Validation Failed", code: "validation_failed", message: "Not valid.", status: 422, fields };
    const { client } = scripted([Response.json(record, { status: 422, headers: { "x-request-id": "r7" } })]);
    const error = await caught(client.get(customers, { params: { path, query: { limit: 0 } } }));
    expect(error).toMatchObject({ status: 422, code: "validation_failed", fields, requestId: "r7" });
    const at = `GET /service-providers/${sp_id}/crbs/${crb_id}/customers`;
    expect(error.message).toBe(
      `${at}: 422 validation_failed: Not valid.; query.limit must be an integer from 1 to 1000`,
    );
  });

  test.each([...statuses, 418])(
    "with status %i of the API has a class, and of another program has none",
    async (status) => {
      const expected = errorClasses[status] ?? ApiError;
      const { client } = scripted([fault(status, "0", "of_the_future"), new Response("<html>", { status })], {
        maxAttempts: 1,
      });
      const [own, other] = [await caught(read(client)), await caught(read(client))];
      expect([own.constructor, own.name, other.constructor]).toEqual([expected, expected.name, ApiError]);
    },
  );

  test("is none if JSON comes without a type", async () => {
    expect(await read(scripted([new Response(new TextEncoder().encode('{ "id": "a" }'))]).client)).toEqual({ id: "a" });
  });

  test("for an unchanged resource has a code of its own", async () => {
    const { client } = scripted([new Response(null, { status: 304, headers: { ETag: '"e"' } })]);
    const error = await caught(read(client));
    expect(error).toMatchObject({ status: 304, code: "not_modified" });
    expect((error as ApiError).headers.get("ETag")).toBe('"e"');
  });

  test.each([
    ["a page of a proxy", () => new Response("<html>", { headers: { "Content-Type": "text/html" } }), 200],
    ["an error page of a proxy", () => new Response("<html>", { status: 404 }), 404],
    ["no content", () => new Response(null), 200],
    [
      "a redirect to another host",
      () => new Response(null, { status: 307, headers: { Location: "https://x.test" } }),
      307,
    ],
    ["JSON that is no record", () => Response.json("no", { status: 400 }), 400],
  ])("for %s says that the response is not from the API", async (_, reply, status) => {
    const { client, requests } = scripted([reply()]);
    expect(await caught(read(client))).toMatchObject({ name: "ApiError", status, code: "invalid_response" });
    expect(requests).toHaveLength(1);
  });

  test("and the client show no secret and no search terms", async () => {
    const search = `${customers}-search` as const;
    const { client } = scripted([fault(404, undefined, "not_found"), new TypeError("fetch failed")], {
      maxAttempts: 1,
    });
    for (const _ of [1, 2]) {
      const error = await caught(client.get(search, { params: { path, query: { email: "ana@example.com" } } }));
      expect(inspect(error, { depth: 9 })).not.toMatch(/ana|sk_never/);
    }
    const exchange = scripted([fault(401, undefined, "unauthorized")], { credential: pair });
    expect(inspect(await caught(read(exchange.client)), { depth: 9 })).not.toContain(secret);
    expect(inspect(exchange.client, { depth: 9, showHidden: true })).not.toContain(secret);
    expect(() => scripted([], { credential: `${secret}\n` })).toThrow(/^(?!.*sk_)/);
  });

  test("shows no control characters of the response", async () => {
    const { client } = scripted([Response.json({ code: "not_found", message: "a\u001b[31m\nb" }, { status: 404 })]);
    expect((await caught(read(client))).message).toMatch(/a \[31m b$/);
  });
});

test.each(["http://api.example.com", "https://user:pass@api.example.com", "ftp://127.0.0.1", "api.example.com"])(
  "the address %s is rejected",
  (baseUrl) => {
    expect(() => scripted([], { baseUrl })).toThrow(TypeError);
  },
);

describe("access tokens", () => {
  test("are exchanged once for parallel calls, and sent", async () => {
    const { client, requests } = scripted([token("at_1"), ok(), ok()], { credential: pair });
    await Promise.all([read(client), read(client)]);
    expect(requests.map(({ authorization }) => authorization)).toEqual([null, "at_1", "at_1"]);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      client_id: "id",
      client_secret: secret,
      grant_type: "client_credentials",
    });
  });

  test("are renewed a minute before they expire, by the clock of this machine", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, requests } = scripted([token("at_1"), ok(), ok(), token("at_2"), ok()], { credential: pair });
    for (const seconds of [0, 3600 - 61, 1]) {
      vi.advanceTimersByTime(seconds * 1_000);
      await read(client);
    }
    expect(requests.map(({ authorization }) => authorization)).toEqual([null, "at_1", "at_1", null, "at_2"]);
  });

  test("that the service rejects are renewed once", async () => {
    const rejected = () => fault(401, undefined, "unauthorized");
    const replies = [token("at_1"), rejected(), token("at_2"), ok(), rejected(), token("at_3"), rejected()];
    const { client, requests } = scripted(replies, { credential: pair });
    await read(client);
    expect(await caught(read(client))).toMatchObject({ status: 401, code: "unauthorized" });
    expect(requests.at(-1)?.authorization).toBe("at_3");
  });

  test.each([
    ["ES256", "ec", { namedCurve: "P-256" }],
    ["RS256", "rsa", { modulusLength: 2048 }],
  ])("are made with a private key and %s, by another assertion for each attempt", async (alg, type, options) => {
    const { privateKey, publicKey } = generateKeyPairSync(type as "ec", options as { namedCurve: string });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const each of [privateKey, pem]) {
      const credential = { clientId: "id", privateKey: each, kid: "k1" };
      const { client, requests } = scripted([fault(503, "0"), token("at_1"), ok()], { credential });
      await read(client);
      expect(requests.map(({ authorization }) => authorization)).toEqual([null, null, "at_1"]);
      const bodies = requests.slice(0, 2).map(({ body }) => JSON.parse(body));
      const verified = bodies.map(({ client_assertion }) =>
        jwtVerify(client_assertion, publicKey, {
          audience: "https://api.example.com/auth/token",
          issuer: "id",
          subject: "id",
        }),
      );
      const [first, second] = await Promise.all(verified);
      expect(first?.protectedHeader).toMatchObject({ alg, kid: "k1" });
      expect(first?.payload.jti).not.toBe(second?.payload.jti);
      expect(bodies[0]).toMatchObject({
        client_id: "id",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      });
      expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(pem.slice(40, 80));
    }
  });

  test("that cannot be exchanged fail the call, and the next call tries again", async () => {
    const replies = [fault(401), ok({ access_token: 7 }), ok({ access_token: "two\nlines" }), token("at_1"), ok()];
    const { client } = scripted(replies, { credential: pair });
    expect(await caught(read(client))).toMatchObject({ status: 401 });
    for (const _ of [1, 2]) expect(await caught(read(client))).toMatchObject({ code: "invalid_response" });
    expect(await read(client)).toEqual({ id: sp_id });
  });
});

describe("listRecords", () => {
  /** A list of these records that cannot return more than `most` of them at once, and omits some from each page. */
  function list(total: number, { most = 1000, omitted = [] as number[] } = {}) {
    const reply = (request: Request) => {
      const { searchParams } = new URL(request.url);
      const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
      if (limit > most) {
        const fields = { "query.limit": { message: `at most ${most} fit` } };
        return Response.json({ code: "validation_failed", message: "", fields }, { status: 422 });
      }
      const positions = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => offset + i);
      return ok({ metadata: { total }, data: positions.filter((one) => !omitted.includes(one)) });
    };
    return scripted(Array.from({ length: 50 }, () => reply));
  }

  const readAll = (client: ApiClient, query: { limit?: number; offset?: number } = {}) =>
    Array.fromAsync(listRecords(client, customers, { path, query }) as AsyncGenerator<unknown>);

  test.each([
    [{ limit: 3 }, 0, 4],
    [{ limit: 5 }, 0, 2],
    [{}, 0, 1],
    [{ limit: 3, offset: 4 }, 4, 2],
    [{ offset: 12 }, 10, 1],
  ])("reads the whole list with %j", async (query, first, pages) => {
    const { client, requests } = list(10);
    expect(await readAll(client, query)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(first));
    expect(requests).toHaveLength(pages);
  });

  test("continues after pages that lack records, and after an empty page", async () => {
    const { client } = list(9, { omitted: [1, 3, 4, 5, 8] });
    expect(await readAll(client, { limit: 3 })).toEqual([0, 2, 6, 7]);
  });

  test.each([1, 2, 3, 50])(
    "skips no record that stays while each %i-th one leaves as soon as it is read",
    async (nth) => {
      let rows = Array.from({ length: 100 }, (_, i) => i);
      const reply = (request: Request) => {
        const { searchParams } = new URL(request.url);
        const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
        return ok({ metadata: { total: rows.length }, data: rows.slice(offset, offset + limit) });
      };
      const { client, requests } = scripted(Array.from({ length: 80 }, () => reply));
      const seen = new Set<number>();
      for await (const row of listRecords(client, customers, {
        path,
        query: { limit: 7 },
      }) as AsyncGenerator<unknown>) {
        seen.add(row as number);
        if (seen.size % nth === 0) rows = rows.filter((each) => each !== row);
      }
      expect(seen.size).toBe(100);
      expect(requests.length).toBeLessThan(40);
    },
  );

  test("requests smaller pages if a page would be too large", async () => {
    const { client } = list(30, { most: 8 });
    expect(await readAll(client)).toHaveLength(30);
  });

  test("reads no page before the caller needs it, and repeats the filters", async () => {
    const { client, requests } = list(10);
    const query = { limit: 2, last_updated_from: "2026-01-01" };
    for await (const _ of listRecords(client, customers, { path, query })) break;
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(["?limit=2&last_updated_from=2026-01-01&offset=0"]);
  });

  test("ends with the error of a page", async () => {
    const { client } = scripted([fault(404, undefined, "not_found")]);
    expect(await caught(readAll(client))).toMatchObject({ code: "not_found" });
    expect(await caught(readAll(list(3, { most: 0 }).client, { limit: 1 }))).toMatchObject({ status: 422 });
  });
});

describe.concurrent("readFeed", () => {
  const feed = "/service-providers/{sp_id}/events";
  const page = (cursor: string, has_more: boolean, data: unknown[] = []) => ok({ data, cursor, has_more });

  test("follows the cursors over empty pages to the end", async () => {
    const { client, requests } = scripted([page("a", true, [1]), page("a", true), page("b", false, [2])]);
    const pages = await Array.fromAsync(readFeed(client, feed, { sp_id }));
    expect(pages.flatMap(({ data }) => data)).toEqual([1, 2]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(["", "?cursor=a", "?cursor=a"]);
  });

  test("waits as long as Retry-After of an empty page says", async () => {
    const empty = ok({ data: [], cursor: "a", has_more: true }, { "Retry-After": "1" });
    const { client } = scripted([empty, page("a", false)]);
    const began = performance.now();
    await Array.fromAsync(readFeed(client, feed, { sp_id }));
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test("ends with an error if a response is no page", async () => {
    const { client } = scripted([ok({}), ok({})]);
    await expect(Array.fromAsync(readFeed(client, feed, { sp_id }))).rejects.toThrow("not a page of a feed");
    const records = listRecords(client, customers, { path });
    await expect(records.next()).rejects.toThrow("not a page of a list");
  });

  test("ends with an error if the service repeats a cursor without end", async () => {
    const { client } = scripted(Array.from({ length: 99 }, () => page("a", true, [1])));
    const reading = Array.fromAsync(readFeed(client, feed, { sp_id }));
    await expect(reading).rejects.toThrow("the cursor has not advanced");
  });
});

describe("followChanges", () => {
  test("passes a reset with the records and the cursor of its page", async () => {
    const records = [{ id: "1" }, { id: "2" }];
    const first = ok({ data: records, cursor: "b", has_more: true, reset: true });
    const { client, requests } = scripted([first, ok({ data: [], cursor: "c", has_more: false })]);
    const stored: unknown[] = [];
    const store: ChangeStore = { readCursor: () => "a", storePage: (kind, page) => void stored.push([kind, page]) };
    expect(await followChanges(client, { crb_id }, "products", store)).toBe(2);
    expect(stored).toEqual([
      ["products", { records, cursor: "b", reset: true }],
      ["products", { records: [], cursor: "c", reset: false }],
    ]);
    const urls = requests.map(({ url }) => url.replace("https://api.example.com", ""));
    expect(urls).toEqual([`/crbs/${crb_id}/changes/products?cursor=a`, `/crbs/${crb_id}/changes/products?cursor=b`]);
  });
});

describe("verifyCopy", () => {
  const records = [
    { id: "a", svc_updated_date: "2026-01-01T00:00:00.000Z" },
    { id: "b", svc_created_date: "2026-01-02T00:00:00.000Z" },
  ];
  const changes = (data: object[]) => ok({ data, cursor: "z", has_more: false });
  const replications = (digest: string | null) => ok({ data: [{ kind: "products", records: 2, digest }] });
  const store: VerifiableStore = { readCursor: () => "z", storePage: () => {}, readRecords: () => records };
  // Computed by the formula of docs/spec.md#digests.
  const digest = "f4b6754ad201fca9247e1d2662136d4eadae2bfe3f90010879729672ffb524a0";

  test("compares only after a moment without changes", async () => {
    const replies = [changes([]), replications("0"), changes([records[0] ?? {}]), replications(digest), changes([])];
    const { client, requests } = scripted(replies);
    const verified = await verifyCopy(client, path, "products", store);
    expect(verified).toEqual({ isComplete: true, copy: { records: 2, digest }, service: { records: 2, digest } });
    expect(requests).toHaveLength(5);
  });

  test("does not call a copy complete if the service has no digest", async () => {
    const { client } = scripted([changes([]), replications(null), changes([])]);
    expect(await verifyCopy(client, path, "products", store)).toMatchObject({ isComplete: false });
  });

  test("ends with an error if the list changes during every attempt", async () => {
    const rounds = Array.from({ length: 10 }, () => [replications(digest), changes([{ id: "a" }])]);
    const { client } = scripted([changes([]), ...rounds.flat()]);
    await expect(verifyCopy(client, path, "products", store)).rejects.toThrow("the list changed during every attempt");
  });
});

test("the packages have the version of the description", () => {
  const { version: packed } = JSON.parse(readFileSync("clients/typescript/package.json", "utf8"));
  const python = readFileSync("clients/python/cannabis_business_data/__init__.py", "utf8");
  const [, pythonVersion] = /^__version__ = "(.*)"$/m.exec(python) ?? [];
  expect([packed, version, pythonVersion]).toEqual(Array(3).fill(description.info.version));
});

test.each(["typescript/*.ts", "python/cannabis_business_data/*.py"])(
  "clients/%s have at most 650 lines of code that are not generated",
  (files) => {
    const lines = globSync(`clients/${files}`)
      .map((file) => readFileSync(file, "utf8"))
      .filter((text) => !/^(\/\/ |""")Generated from /.test(text))
      .flatMap((text) => text.split("\n"))
      .filter((line) => !/^\s*(\/\/|\/?\*|#|$)/.test(line));
    expect(lines.length).toBeGreaterThan(300);
    expect(lines.length).toBeLessThanOrEqual(650);
  },
);
