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
/** The first requests go wrong in this way, the others well. */
const first = (count: number, fault: Fault) => {
  server.faults = ({ number }) => (number <= count ? fault : undefined);
};

test("asks by GET, with what was given, and names itself", async () => {
  const answer = await client().call({ ...call, query: { active: true, page: 2 } });
  expect(answer).toMatchObject({ status: 200, body: { good: true } });
  expect(answer.date?.getTime()).toBeGreaterThan(0);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: "GET", path: "/things/7" });
  expect(String(request?.query)).toBe("active=true&page=2");
  expect(request?.headers["user-agent"]).toMatch(/business-data/);
  expect(request?.headers.authorization).toBe("Basic c2VjcmV0");
});

test("asks by POST where there is JSON to send", async () => {
  await client().call({ ...call, json: { page: 1, query: "" } });
  expect(server.requests).toMatchObject([
    { method: "POST", body: '{"page":1,"query":""}', headers: { "content-type": "application/json" } },
  ]);
});

test("sends a text by POST, as the type that it is, to an address that the POS has named", async () => {
  const elsewhere = new FakeServer(() => ({ body: { good: true } }));
  await elsewhere.start();
  const headers = { "content-type": "application/xml" };
  await client().call({ ...call, headers, url: `${elsewhere.url}/other`, text: "<a>ü</a>" });
  expect(server.requests).toEqual([]);
  expect(elsewhere.requests).toMatchObject([{ method: "POST", path: "/other/things/7", body: "<a>ü</a>", headers }]);
  await elsewhere.close();
});

describe("what may pass is tried again,", () => {
  test.each([408, 425, 429, 500, 502, 503, 504])("%i", async (status) => {
    first(3, fault(status));
    expect(await client().call(call)).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(4);
    expect(pauses).toHaveLength(3);
  });

  test.each<Fault>([{ kind: "cut" }, { kind: "cutHalfway" }, { kind: "truncated" }])("$kind", async (fault) => {
    first(2, fault);
    expect(await client().call(call)).toMatchObject({ status: 200, body: { good: true } });
  });

  test("but not for ever", async () => {
    server.faults = () => fault(503);
    await expect(client().call(call)).rejects.toMatchObject({ failure: "unreachable", code: "503" });
    expect(server.requests).toHaveLength(4);
    await expect(client().call({ ...call, attempts: 2 })).rejects.toMatchObject({ failure: "unreachable" });
    expect(server.requests).toHaveLength(6);
  });

  test("after pauses that may double, by chance", async () => {
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

  test("that may pass is tried again", async () => {
    first(3, stated(500));
    expect(await client().call({ ...call, statusIn })).toMatchObject({ status: 200, body: { good: true } });
    expect(server.requests).toHaveLength(4);
  });

  test.each<[number, object]>([
    [503, { failure: "unreachable", code: "503" }],
    [429, { failure: "limited", code: "429", retryAfter: 60 }],
  ])("of %i for good fails as over HTTP", async (status, failure) => {
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

describe("a POS that limits", () => {
  test("is given a second at least", async () => {
    first(1, fault(429));
    await client({ firstPauseMs: 2000 }).call(call);
    expect(pauses[0]).toBeGreaterThanOrEqual(1000);
  });

  test("is given as long as it asks for, if that is short", async () => {
    first(1, fault(429, { "retry-after": "3" }));
    await client().call(call);
    expect(pauses).toEqual([3000]);
  });

  test("is left alone at once where it asks for longer", async () => {
    server.faults = () => fault(429, { "retry-after": "6" });
    await expect(client().call(call)).rejects.toMatchObject({ failure: "limited", retryAfter: 6 });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 422])("%i is an answer", async (status) => {
  server.faults = () => ({ kind: "answer", answer: { status, body: { message: "no" } } });
  expect(await client().call(call)).toMatchObject({ status, body: { message: "no" } });
  expect(server.requests).toHaveLength(1);
});

test("a redirect is an error: credentials would go along", async () => {
  const other = new FakeServer(() => ({ body: { good: false } }));
  await other.start();
  server.faults = () => ({ kind: "answer", answer: { status: 302, headers: { location: other.url } } });
  await expect(client().call(call)).rejects.toMatchObject({ failure: "unreachable" });
  expect(other.requests).toEqual([]);
  await other.close();
});

test("nobody there", async () => {
  await expect(client({ url: "http://127.0.0.1:1" }).call(call)).rejects.toMatchObject({ failure: "unreachable" });
});

test("an answer that does not come in time", async () => {
  server.faults = () => ({ kind: "slow", milliseconds: 300 });
  const asked = client({ timeoutMs: 20 }).call({ ...call, attempts: 1 });
  await expect(asked).rejects.toMatchObject({ failure: "unreachable", code: "timeout" });
});

test("no JSON, and an empty answer", async () => {
  server.rewrite = () => "<html>secret</html>";
  const error: unknown = await client()
    .call(call)
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ failure: "notUnderstood", code: "no_json" });
  expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain("secret");
  server.rewrite = () => "";
  expect((await client().call(call)).body).toBeUndefined();
});

test("an answer without end is cut off, and not asked for again", async () => {
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

test("a mistake of ours is none of the POS's", async () => {
  const read = async () => {
    throw new TypeError("ours");
  };
  await expect(client().call({ ...call, read })).rejects.toThrow(TypeError);
});

test("one business asks no oftener than it may; others do not wait for it", async () => {
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
    const ask = async (rateLimitBucket: string) => {
      await paced.call({ ...call, rateLimitBucket });
      times.push([rateLimitBucket, Date.now() - started]);
    };
    const all = Promise.all([ask("a"), ask("a"), ask("b"), ask("a")]);
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

test("one that was limited is asked half as often, for five minutes", async () => {
  let time = Date.parse("2026-03-10T12:00:00.000Z");
  const slept: number[] = [];
  const paced = new PosClient({
    url: server.url,
    requestsPerSecond: 2,
    firstPauseMs: 0,
    clock: { now: () => new Date(time), sleep: async (milliseconds) => void slept.push(milliseconds) },
  });
  first(1, fault(429));
  await paced.call(call);
  await paced.call(call);
  await paced.call({ ...call, rateLimitBucket: "another" });
  time += 5 * 60_000;
  await paced.call(call);
  expect(slept.filter((milliseconds) => milliseconds > 0)).toEqual([500, 1_000, 1_000, 500, 500]);
});

test("the log has the path's pattern, and neither values nor headers nor answers", async () => {
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
