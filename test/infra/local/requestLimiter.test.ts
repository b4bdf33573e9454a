import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withRetries } from "../../../clients/typescript/withRetries.ts";
import { listen } from "../../../infra/local/listen.ts";
import { requestLimiter } from "../../../infra/local/requestLimiter.ts";
import { createGateway } from "../../../infra/local/server.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { createSecret } from "../../../shared/auth/secrets.ts";

const limits = {
  throttle: { rate: 10, burst: 50 },
  requestsPerCredential: 3,
  tokenExchangesPerAddress: 2,
  requestsWithoutCredentialPerAddress: 11,
  requestsPerAddress: 20,
};
const minute = 60_000;

/** Milliseconds. */
let now: number;
let admit: ReturnType<typeof requestLimiter>;
const server = createGateway({
  operationRegistry,
  allowedOrigins: [],
  admit: (request) => admit(request),
  invoke: async () => ({ statusCode: 200, headers: { "Content-Type": "application/json" }, body: "{}" }),
  isReady: () => true,
  report: () => undefined,
});
let base: string;

beforeAll(async () => {
  base = `http://127.0.0.1:${await listen(server, 0)}`;
});
afterAll(() => server.close());
beforeEach(() => {
  now = 0;
  admit = requestLimiter(limits, () => now);
});

const get = (authorization?: string) =>
  fetch(`${base}/crbs/x`, authorization === undefined ? {} : { headers: { Authorization: authorization } });
const exchange = (path = "/auth/token") => fetch(base + path, { method: "POST", body: "{}" });
const statuses = async (calls: (() => Promise<Response>)[]) => {
  const answered: number[] = [];
  for (const call of calls) answered.push((await call()).status);
  return answered;
};
const times = <Call>(count: number, call: Call): Call[] => Array.from({ length: count }, () => call);

test("a request beyond a limit gets the documented 429 with Retry-After", async () => {
  await statuses(times(3, () => get("sk_one")));
  const answer = await get("sk_one");
  expect(answer.status).toBe(429);
  expect(await answer.json()).toEqual({
    name: "Too Many Requests",
    code: "rate_limited",
    message: expect.any(String),
    status: 429,
  });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "retry-after": "30",
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

describe("a credential", () => {
  test("has its own count, however Bearer is written", async () => {
    const written = ["sk_one", "Bearer sk_one", "bearer  sk_one", "BEARER sk_one"];
    expect(await statuses(times(3, () => get("Bearer sk_one")))).toEqual([200, 200, 200]);
    expect(await statuses(written.map((each) => () => get(each)))).toEqual([200, 429, 429, 429]);
    expect((await get("sk_two")).status).toBe(200);
  });

  test("is accepted again once it has sent fewer requests within a minute", async () => {
    await statuses(times(3, () => get("sk_one")));
    now = minute - 1;
    expect((await get("sk_one")).status).toBe(429);
    now = minute;
    expect((await get("sk_one")).status).toBe(200);
  });

  test("is rejected as long as it keeps sending too many requests", async () => {
    for (now = 0; now < 5 * minute; now += 5_000) await get("sk_one");
    expect((await get("sk_one")).status).toBe(429);
  });
});

test("an address has a limit of token exchanges and links in five minutes, however their path is written", async () => {
  const paths = ["/auth/token", "/%61uth/token", "/onboarding/link"];
  expect(await statuses(paths.map((path) => () => exchange(path)))).toEqual([200, 404, 429]);
  expect((await get("sk_one")).status).toBe(200);
  now = 5 * minute;
  expect((await exchange()).status).toBe(200);
});

const newSecret = () => createSecret("sk", randomUUID());

test("an address has a limit of requests in a minute, with changing credentials or none", async () => {
  const answered = await statuses([...times(11, () => get()), ...times(10, () => get(newSecret()))]);
  expect(answered).toEqual([...times(20, 200), 429]);
});

test("an address has a lower limit without a credential, or with a header that cannot be one", async () => {
  const without = [...times(6, () => get()), ...Array.from({ length: 6 }, (_, index) => () => get(`sk_${index}`))];
  expect(await statuses(without)).toEqual([...times(11, 200), 429]);
  expect(await statuses([() => get(newSecret()), () => get(`bearer  ${newSecret()}`)])).toEqual([200, 200]);
  const preflight = await fetch(`${base}/crbs/x`, { method: "OPTIONS" });
  expect(preflight.status).not.toBe(429);
  now = minute;
  expect((await get()).status).toBe(200);
});

test("all callers share a token bucket, which refills within a second", async () => {
  const many = { requestsPerAddress: 1_000, requestsWithoutCredentialPerAddress: 1_000 };
  admit = requestLimiter({ ...limits, ...many }, () => now);
  expect(await statuses(times(51, () => get()))).toEqual([...times(50, 200), 429]);
  expect((await get()).headers.get("Retry-After")).toBe("1");
  now = 1_000;
  expect(await statuses(times(11, () => get()))).toEqual([...times(10, 200), 429]);
});

test("a client that waits as long as Retry-After says gets its response", async () => {
  admit = requestLimiter({ ...limits, throttle: { rate: 1, burst: 1 } });
  const call = withRetries(fetch, {}, true);
  const answers = await Promise.all(times(2, () => call(new Request(`${base}/crbs/x`))).map((each) => each()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test("with the limits of the sandbox, the 601st request within a minute is rejected", () => {
  admit = requestLimiter(stages.sandbox.aws, () => now);
  const request = { url: "/crbs/x", headers: { authorization: "sk_one" }, socket: { remoteAddress: "127.0.0.1" } };
  for (let sent = 0; sent < 600; sent++) {
    admit(request);
    now += 20;
  }
  expect(() => admit(request)).toThrow("Too many requests");
});
