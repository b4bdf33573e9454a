import { afterEach, describe, expect, test, vi } from "vitest";
import { answerOf } from "./answerOf.ts";
import { apiClient } from "./apiClient.ts";
import { everyRecord } from "./everyRecord.ts";

afterEach(() => void vi.useRealTimers());

const lifetime = 3600;
const refused = { name: "Unauthorized", message: "A valid credential is needed.", status: 401 };

/** A service with one list of ten numbers whose tokens can be revoked, and its client. */
function setUp() {
  const seen: string[] = [];
  const revoked = new Set<string>();
  let tokens = 0;
  const send = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/auth/token") {
      const { client_secret } = (await request.json()) as { client_secret: string };
      seen.push("exchange");
      if (client_secret !== "right") return Response.json(refused, { status: 401 });
      return Response.json({ access_token: `token ${++tokens}`, expires_at: Date.now() / 1_000 + lifetime });
    }
    const credential = request.headers.get("Authorization") ?? "";
    seen.push(credential);
    if (revoked.has(credential)) return Response.json(refused, { status: 401 });
    const [limit, offset] = [Number(searchParams.get("limit") ?? 1000), Number(searchParams.get("offset"))];
    const data = Array.from({ length: Math.max(0, Math.min(limit, 10 - offset)) }, (_, index) => offset + index);
    return Response.json({ metadata: { total: 10 }, data });
  };
  const client = (clientSecret = "right") =>
    apiClient({ baseUrl: "http://127.0.0.1", credential: { clientId: "id", clientSecret }, send });
  return { client, seen, revoked, send };
}

const list = "/crbs/{crb_id}/customers";
const path = { crb_id: "x" };

describe("tokens", () => {
  test("are exchanged once for parallel calls", async () => {
    const { client, seen } = setUp();
    const one = client();
    await Promise.all([one.GET(list, { params: { path } }), one.GET(list, { params: { path } })]);
    await one.GET(list, { params: { path } });
    expect(seen).toEqual(["exchange", "token 1", "token 1", "token 1"]);
  });

  test("are renewed a minute before their end", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, seen } = setUp();
    const one = client();
    for (const seconds of [0, lifetime - 61, 1]) {
      vi.advanceTimersByTime(seconds * 1_000);
      await one.GET(list, { params: { path } });
    }
    expect(seen).toEqual(["exchange", "token 1", "token 1", "exchange", "token 2"]);
  });

  test("that the service rejects before their end are replaced once", async () => {
    const { client, seen, revoked } = setUp();
    const one = client();
    revoked.add("token 1");
    expect((await one.GET(list, { params: { path } })).response.status).toBe(200);
    revoked.add("token 2").add("token 3");
    expect((await one.GET(list, { params: { path } })).response.status).toBe(401);
    expect(seen).toEqual(["exchange", "token 1", "exchange", "token 2", "token 2", "exchange", "token 3"]);
  });

  test("that cannot be exchanged fail the call, and the next call tries again", async () => {
    const { client, seen } = setUp();
    const one = client("wrong");
    for (const _ of [1, 2]) {
      await expect(one.GET(list, { params: { path } })).rejects.toMatchObject({ name: "ApiError", record: refused });
    }
    expect(seen).toEqual(["exchange", "exchange"]);
  });

  test("are not needed with an API key", async () => {
    const { send, seen } = setUp();
    await apiClient({ baseUrl: "http://127.0.0.1", credential: "key", send }).GET(list, { params: { path } });
    expect(seen).toEqual(["key"]);
  });
});

describe("everyRecord", () => {
  const read = async (query: { limit?: number; offset?: number }) => {
    const { client, seen } = setUp();
    const records = await Array.fromAsync(everyRecord(client(), list, { path, query }));
    return { records, pages: seen.length - 1 };
  };

  test.each([
    [{ limit: 3 }, 0, 4],
    [{ limit: 5 }, 0, 2],
    [{}, 0, 1],
    [{ limit: 3, offset: 4 }, 4, 2],
    [{ offset: 12 }, 10, 1],
  ])("reads the whole list with %j", async (query, first, pages) => {
    expect(await read(query)).toEqual({ records: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(first), pages });
  });

  test("reads no page before the caller needs it", async () => {
    const { client, seen } = setUp();
    for await (const _ of everyRecord(client(), list, { path, query: { limit: 2 } })) break;
    expect(seen).toEqual(["exchange", "token 1"]);
  });

  test("fails with the error of the page", async () => {
    const { client, revoked } = setUp();
    revoked.add("token 1").add("token 2");
    const reading = everyRecord(client(), list, { path }).next();
    await expect(reading).rejects.toThrow("401 Unauthorized: A valid credential is needed.");
  });
});

test("answerOf returns the data of a response, or throws its error", () => {
  const error = { name: "Conflict", message: "Not now.", status: 409 };
  expect(answerOf({ data: 1, response: Response.json(1) })).toBe(1);
  expect(() => answerOf({ error, response: Response.json(error, { status: 409 }) })).toThrow("409 Conflict: Not now.");
});
