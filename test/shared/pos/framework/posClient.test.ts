import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "../../../../shared/platform/aws/log.ts";
import { PosClient, type PosClientOptions } from "../../../../shared/pos/framework/posClient.ts";
import { posPath } from "../../../../shared/pos/framework/posPath.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { FakeServer, type Fault } from "../fakes/fakeServer.ts";

let server: FakeServer;
let pauses: number[];
const clock: Clock = {
  now: () => new Date("2026-03-10T12:00:00.000Z"),
  sleep: async (milliseconds) => {
    pauses.push(milliseconds);
  },
};

beforeEach(async () => {
  pauses = [];
  server = new FakeServer(() => ({ body: { good: true } }));
  await server.start();
});
afterEach(() => server.close());

const client = (options: Partial<PosClientOptions> = {}) =>
  new PosClient({ url: server.url, requestsPerSecond: Number.POSITIVE_INFINITY, clock, ...options });
const call = { path: posPath`/things/${"7"}`, headers: { authorization: "Basic c2VjcmV0" }, rateLimitBucket: "crb" };
const fault = (status: number, headers: Record<string, string> = {}): Fault => ({
  kind: "answer",
  answer: { status, headers },
});
/** The first requests get this fault, and the others succeed. */
const failFirst = (count: number, fault: Fault) => {
  server.faults = ({ number }) => (number <= count ? fault : undefined);
};

test("a request uses GET with the given query and headers, and identifies the service", async () => {
  const response = await client().call({ ...call, query: { active: true, page: 2 } });
  expect(response).toMatchObject({ status: 200, body: { good: true } });
  expect(response.date?.getTime()).toBeGreaterThan(0);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: "GET", path: "/things/7" });
  expect(String(request?.query)).toBe("active=true&page=2");
  expect(request?.headers["user-agent"]).toMatch(/business-data/);
  expect(request?.headers.authorization).toBe("Basic c2VjcmV0");
});

test("a request with JSON uses POST", async () => {
  await client().call({ ...call, json: { page: 1, query: "" } });
  expect(server.requests).toMatchObject([
    { method: "POST", body: '{"page":1,"query":""}', headers: { "content-type": "application/json" } },
  ]);
});

test("a text is sent by POST with its content type, to an address that the POS has returned", async () => {
  const otherServer = new FakeServer(() => ({ body: { good: true } }));
  await otherServer.start();
  const headers = { "content-type": "application/xml" };
  await client().call({ ...call, headers, url: `${otherServer.url}/other`, text: "<a>ü</a>" });
  expect(server.requests).toEqual([]);
  expect(otherServer.requests).toMatchObject([{ method: "POST", path: "/other/things/7", body: "<a>ü</a>", headers }]);
  await otherServer.close();
});

describe("a temporary failure is retried", () => {
  test.each([408, 425, 429, 500, 501, 502, 503, 504, 520, 530])("with status %i", async (status) => {
    failFirst(3, fault(status));
    expect(await client().call(call)).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(4);
    expect(pauses).toHaveLength(3);
  });

  test.each<Fault>([{ kind: "cut" }, { kind: "cutHalfway" }, { kind: "truncated" }])("of kind $kind", async (fault) => {
    failFirst(2, fault);
    expect(await client().call(call)).toMatchObject({ status: 200, body: { good: true } });
  });

  test("up to a maximum number of attempts", async () => {
    server.faults = () => fault(503);
    await expect(client().call(call)).rejects.toMatchObject({ failure: "unreachable", code: "503" });
    expect(server.requests).toHaveLength(4);
    await expect(client().call({ ...call, attempts: 2 })).rejects.toMatchObject({ failure: "unreachable" });
    expect(server.requests).toHaveLength(6);
  });

  test("after random pauses that may double", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    server.faults = () => fault(503);
    await expect(client({ firstPauseMs: 400 }).call(call)).rejects.toThrow();
    expect(pauses).toEqual([200, 400, 800]);
    vi.restoreAllMocks();
  });
});

describe("a status in the body of a 2xx response", () => {
  const statusIn = (body: unknown) => (body as { status?: number }).status ?? null;
  const stated = (status: number, headers: Record<string, string> = {}): Fault => ({
    kind: "answer",
    answer: { headers, body: { status } },
  });

  test("is retried if it may be temporary", async () => {
    failFirst(3, stated(500));
    expect(await client().call({ ...call, statusIn })).toMatchObject({ status: 200, body: { good: true } });
    expect(server.requests).toHaveLength(4);
  });

  test.each<[number, object]>([
    [503, { failure: "unreachable", code: "503" }],
    [429, { failure: "limited", code: "429", retryAfter: 60 }],
  ])("of %i in all attempts fails like the HTTP status", async (status, failure) => {
    server.faults = () => stated(status, { "retry-after": "60" });
    await expect(client().call({ ...call, statusIn })).rejects.toMatchObject(failure);
  });

  test.each([401, 403, 404])("of %i is the status of the response", async (status) => {
    server.faults = () => stated(status);
    expect(await client().call({ ...call, statusIn })).toMatchObject({ status, body: { status } });
    expect(server.requests).toHaveLength(1);
  });

  test("does not replace an HTTP status of failure", async () => {
    server.faults = () => ({ kind: "answer", answer: { status: 404, body: { status: 200 } } });
    expect(await client().call({ ...call, statusIn })).toMatchObject({ status: 404 });
  });
});

describe("a POS with a rate limit", () => {
  test("is requested again after at least a second", async () => {
    failFirst(1, fault(429));
    await client({ firstPauseMs: 2000 }).call(call);
    expect(pauses[0]).toBeGreaterThanOrEqual(1000);
  });

  test("is requested again after the time that it requests, if that is short", async () => {
    failFirst(1, fault(429, { "retry-after": "3" }));
    await client().call(call);
    expect(pauses).toEqual([3000]);
  });

  test("is not requested again if it requests a longer time", async () => {
    server.faults = () => fault(429, { "retry-after": "6" });
    await expect(client().call(call)).rejects.toMatchObject({ failure: "limited", retryAfter: 6 });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 422])("%i is a response", async (status) => {
  server.faults = () => ({ kind: "answer", answer: { status, body: { message: "no" } } });
  expect(await client().call(call)).toMatchObject({ status, body: { message: "no" } });
  expect(server.requests).toHaveLength(1);
});

test("a redirect is an error, because credentials would be sent with it", async () => {
  const other = new FakeServer(() => ({ body: { good: false } }));
  await other.start();
  server.faults = () => ({ kind: "answer", answer: { status: 302, headers: { location: other.url } } });
  await expect(client().call(call)).rejects.toMatchObject({ failure: "unreachable" });
  expect(other.requests).toEqual([]);
  await other.close();
});

test("a closed port makes the POS unreachable", async () => {
  await expect(client({ url: "http://127.0.0.1:1" }).call(call)).rejects.toMatchObject({ failure: "unreachable" });
});

test("a timeout makes the POS unreachable", async () => {
  server.faults = () => ({ kind: "slow", milliseconds: 300 });
  const request = client({ timeoutMs: 20 }).call({ ...call, attempts: 1 });
  await expect(request).rejects.toMatchObject({ failure: "unreachable", code: "timeout" });
});

test("a body that is not JSON is not understood, and an empty body is undefined", async () => {
  server.rewrite = () => "<html>secret</html>";
  const error: unknown = await client()
    .call(call)
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ failure: "notUnderstood", code: "no_json" });
  expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain("secret");
  server.rewrite = () => "";
  expect((await client().call(call)).body).toBeUndefined();
});

test("an endless response is interrupted, and not requested again", async () => {
  const megabyte = "x".repeat(1024 * 1024);
  const read = async (chunks: AsyncIterable<Uint8Array>) => {
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.byteLength;
    return bytes;
  };
  server.rewrite = () => megabyte.repeat(65);
  const tooLarge = { failure: "notUnderstood", code: "too_large" };
  await expect(client().call({ ...call, read })).rejects.toMatchObject(tooLarge);
  expect(server.requests).toHaveLength(1);
  const { body } = await client().call({ ...call, read, maxBytes: 65 * 1024 * 1024 });
  expect(body).toBe(65 * 1024 * 1024);
});

test("an error in the service's own code is not the POS's failure", async () => {
  const read = async () => {
    throw new TypeError("ours");
  };
  await expect(client().call({ ...call, read })).rejects.toThrow(TypeError);
});

test("requests of one business are spaced, and do not delay those of others", async () => {
  vi.useFakeTimers();
  try {
    const times: [string, number][] = [];
    const paced = new PosClient({
      url: server.url,
      requestsPerSecond: 2,
      clock: { ...clock, sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)) },
    });
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
    const started = Date.now();
    const send = async (rateLimitBucket: string) => {
      await paced.call({ ...call, rateLimitBucket });
      times.push([rateLimitBucket, Date.now() - started]);
    };
    const all = Promise.all([send("a"), send("a"), send("b"), send("a")]);
    await vi.advanceTimersByTimeAsync(2000);
    await all;
    expect(times).toEqual([
      ["a", 0],
      ["b", 0],
      ["a", 500],
      ["a", 1000],
    ]);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

test("after a rate limit, a business's requests are half as frequent for five minutes", async () => {
  let time = Date.parse("2026-03-10T12:00:00.000Z");
  const slept: number[] = [];
  const paced = new PosClient({
    url: server.url,
    requestsPerSecond: 2,
    firstPauseMs: 0,
    clock: { now: () => new Date(time), sleep: async (milliseconds) => void slept.push(milliseconds) },
  });
  failFirst(1, fault(429));
  await paced.call(call);
  await paced.call(call);
  await paced.call({ ...call, rateLimitBucket: "another" });
  time += 5 * 60_000;
  await paced.call(call);
  expect(slept.filter((milliseconds) => milliseconds > 0)).toEqual([500, 1_000, 1_000, 500, 500]);
});

test("the log has the path's pattern, and no values, headers or responses", async () => {
  log.setLogLevel("DEBUG");
  let printed = "";
  const print = vi.spyOn(process.stdout, "write").mockImplementation((line: unknown) => {
    printed += String(line);
    return true;
  });
  await client().call({ ...call, path: posPath`/customers/${"Planted7"}`, query: { q: "Planted8" } });
  log.setLogLevel("SILENT");
  print.mockRestore();
  expect(printed).toContain("/customers/{}");
  expect(printed).not.toMatch(/Planted|Basic|good/);
});
