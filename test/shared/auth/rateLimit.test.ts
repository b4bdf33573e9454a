import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { rateLimitKey } from "../../../shared/store/keys/credentials.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls, TestClock } from "../store/orderedList/listUnderTest.ts";

const table = useTestTable();

const rateLimit = { perMinute: 5, perDay: 12 };
const noon = "2026-03-01T12:00:00.000Z";

/** The rate limit as one instance of a function applies it: instances share no memory. */
async function createInstance() {
  vi.resetModules();
  const { consumeRateLimit } = await import("../../../shared/auth/rateLimit.ts");
  /** Returns 200, or the `Retry-After` of the 429 in seconds. */
  return (clientId: string, clock: TestClock, operationId = "search", by: Table = table()): Promise<number> =>
    consumeRateLimit(by, clientId, operationId, rateLimit, clock).then(
      () => 200,
      ({ kind, details }) => (kind === "throttled" ? details.retryAfter : expect.fail(String(kind))),
    );
}

const repeat = async (count: number, send: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push(await send());
  return statuses;
};
const readUse = (clientId: string, day: string) =>
  table().get(rateLimitKey(clientId, "search", day), { consistent: true });

describe("a rate limit per minute", () => {
  test("ends with its last request, and starts again with the next minute", async () => {
    const [use, clientId, clock] = [await createInstance(), randomUUID(), new TestClock(noon)];
    expect(await repeat(5, () => use(clientId, clock))).toEqual(Array(5).fill(200));
    expect(await use(clientId, clock)).toBe(60);
    clock.advance(59_001);
    expect(await use(clientId, clock)).toBe(1);
    clock.advance(998);
    expect(await use(clientId, clock)).toBe(1);
    clock.advance(1);
    expect(await repeat(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 60]);
  });

  test("counts each credential and each operation separately", async () => {
    const [use, clientId, clock] = [await createInstance(), randomUUID(), new TestClock(noon)];
    await repeat(5, () => use(clientId, clock));
    expect(await use(clientId, clock)).toBe(60);
    expect(await use(randomUUID(), clock)).toBe(200);
    expect(await use(clientId, clock, "other")).toBe(200);
  });
});

describe("a rate limit per day", () => {
  test("ends with its last request, and starts again at midnight UTC", async () => {
    const [use, clientId, clock] = [await createInstance(), randomUUID(), new TestClock("2026-03-01T23:50:30.500Z")];
    for (const expected of [
      [200, 200, 200, 200, 200, 30],
      [200, 200, 200, 200, 200, 30],
      [200, 200, 450, 450],
    ]) {
      expect(await repeat(expected.length, () => use(clientId, clock))).toEqual(expected);
      clock.advance(60_000);
    }
    expect(await use(clientId, clock)).toBe(390);
    clock.advance(389_500 + 1);
    expect(await use(clientId, clock)).toBe(200);
    expect(await readUse(clientId, "2026-03-01")).toMatchObject({ in_day: 12 });
    const midnight = Date.parse("2026-03-03T00:00:00.000Z") / 1000;
    expect(await readUse(clientId, "2026-03-02")).toMatchObject({ in_day: 1, expires: midnight });
  });

  test("decides the Retry-After if the limit of the minute is used up too", async () => {
    const [use, clientId, clock] = [await createInstance(), randomUUID(), new TestClock(noon)];
    await repeat(5, () => use(clientId, clock));
    clock.advance(60_000);
    await repeat(2, () => use(clientId, clock));
    clock.advance(60_000);
    expect(await repeat(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 43_080]);
  });
});

describe("of many requests at once to several instances", () => {
  const atOnce = async (clientId: string, clocks: readonly TestClock[]) => {
    const uses: Awaited<ReturnType<typeof createInstance>>[] = [];
    for (const _ of clocks) uses.push(await createInstance());
    const statuses = await Promise.all(
      clocks.flatMap((clock, i) =>
        Array.from({ length: 4 }, () => uses[i]?.(clientId, clock, "search", testTableOf(table()))),
      ),
    );
    return statuses.filter((status) => status === 200).length;
  };

  test("only as many succeed as the minute allows, and in the end as many as the day allows", async () => {
    const clientId = randomUUID();
    const clock = new TestClock(noon);
    const accepted: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      accepted.push(await atOnce(clientId, Array(4).fill(clock)));
      clock.advance(60_000);
    }
    expect(accepted).toEqual([5, 5, 2, 0]);
    expect(await readUse(clientId, "2026-03-01")).toMatchObject({ in_day: 12 });
  });

  test("those at an instance with a slow clock count for the minute that others have started", async () => {
    const [ahead, behind, clientId] = [await createInstance(), await createInstance(), randomUUID()];
    expect(await repeat(3, () => ahead(clientId, new TestClock(noon)))).toEqual([200, 200, 200]);
    const late = new TestClock("2026-03-01T11:59:59.000Z");
    expect(await repeat(3, () => behind(clientId, late))).toEqual([200, 200, 61]);
    expect(await ahead(clientId, new TestClock(noon))).toBe(60);
  });
});

describe("the cost of a rate limit", () => {
  const calls = async (work: (counted: Table) => Promise<unknown>) => {
    const counted = testTableOf(table());
    const commands: string[] = [];
    interceptCalls(counted).before = (command) => void commands.push(command);
    await work(counted);
    return commands;
  };

  test("is one update, two if another instance has started the minute, and none once the limit is used up", async () => {
    const [one, other, clientId, clock] = [
      await createInstance(),
      await createInstance(),
      randomUUID(),
      new TestClock(noon),
    ];
    const update = "UpdateItemCommand";
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => other(clientId, clock, "search", by))).toEqual([update, update]);
    expect(await calls((by) => other(clientId, clock, "search", by))).toEqual([update]);
    await one(clientId, clock);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => repeat(9, () => one(clientId, clock, "search", by)))).toEqual([]);
    clock.advance(60_000);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
  });

  test("is the same whatever other credentials request meanwhile", async () => {
    const [use, busy, done, other, clock] = [
      await createInstance(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
      new TestClock(noon),
    ];
    for (let minute = 0; minute < 3; minute++) {
      await repeat(5, () => use(done, clock));
      clock.advance(60_000);
    }
    await use(busy, clock);
    await use(other, clock);
    expect(await calls((by) => use(done, clock, "search", by))).toEqual([]);
    expect(await calls((by) => use(busy, clock, "search", by))).toEqual(["UpdateItemCommand"]);
  });
});

test("an item that is removed meanwhile is created again", async () => {
  const [use, clientId, clock] = [await createInstance(), randomUUID(), new TestClock(noon)];
  await repeat(4, () => use(clientId, clock));
  await table().delete(rateLimitKey(clientId, "search", "2026-03-01"));
  expect(await repeat(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 60]);
});
