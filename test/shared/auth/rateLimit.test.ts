import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { rateLimitKey } from "../../../shared/store/keys/credentials.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "../store/orderedList/listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const rateLimit = { perMinute: 5, perDay: 12 };
const noon = "2026-03-01T12:00:00.000Z";

/** A function's instance: it remembers nothing of what others have seen. */
async function instance() {
  vi.resetModules();
  const { consumeRateLimit } = await import("../../../shared/auth/rateLimit.ts");
  /** 200, or the seconds after which a 429 says to come again. */
  return (clientId: string, clock: TestClock, operationId = "search", by: Table = table): Promise<number> =>
    consumeRateLimit(by, clientId, operationId, rateLimit, clock).then(
      () => 200,
      ({ kind, details }) => (kind === "throttled" ? details.retryAfter : expect.fail(String(kind))),
    );
}

const times = async (count: number, ask: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push(await ask());
  return statuses;
};
const useOf = (clientId: string, day: string) => table.get(rateLimitKey(clientId, "search", day), { consistent: true });

describe("a minute's allowance", () => {
  test("ends with its last request, and begins anew with the next minute", async () => {
    const [use, clientId, clock] = [await instance(), randomUUID(), new TestClock(noon)];
    expect(await times(5, () => use(clientId, clock))).toEqual(Array(5).fill(200));
    expect(await use(clientId, clock)).toBe(60);
    clock.advance(59_001);
    expect(await use(clientId, clock)).toBe(1);
    clock.advance(998);
    expect(await use(clientId, clock)).toBe(1);
    clock.advance(1);
    expect(await times(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 60]);
  });

  test("is the credential's alone, and the operation's", async () => {
    const [use, clientId, clock] = [await instance(), randomUUID(), new TestClock(noon)];
    await times(5, () => use(clientId, clock));
    expect(await use(clientId, clock)).toBe(60);
    expect(await use(randomUUID(), clock)).toBe(200);
    expect(await use(clientId, clock, "other")).toBe(200);
  });
});

describe("a day's allowance", () => {
  test("ends with its last request, and begins anew at midnight UTC", async () => {
    const [use, clientId, clock] = [await instance(), randomUUID(), new TestClock("2026-03-01T23:50:30.500Z")];
    for (const expected of [
      [200, 200, 200, 200, 200, 30],
      [200, 200, 200, 200, 200, 30],
      [200, 200, 450, 450],
    ]) {
      expect(await times(expected.length, () => use(clientId, clock))).toEqual(expected);
      clock.advance(60_000);
    }
    expect(await use(clientId, clock)).toBe(390);
    clock.advance(389_500 + 1);
    expect(await use(clientId, clock)).toBe(200);
    expect(await useOf(clientId, "2026-03-01")).toMatchObject({ in_day: 12 });
    const midnight = Date.parse("2026-03-03T00:00:00.000Z") / 1000;
    expect(await useOf(clientId, "2026-03-02")).toMatchObject({ in_day: 1, expires: midnight });
  });

  test("is told as such where the minute's is used up too", async () => {
    const [use, clientId, clock] = [await instance(), randomUUID(), new TestClock(noon)];
    await times(5, () => use(clientId, clock));
    clock.advance(60_000);
    await times(2, () => use(clientId, clock));
    clock.advance(60_000);
    expect(await times(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 43_080]);
  });
});

describe("of many that come at once to several instances", () => {
  const atOnce = async (clientId: string, clocks: readonly TestClock[]) => {
    const uses: Awaited<ReturnType<typeof instance>>[] = [];
    for (const _ of clocks) uses.push(await instance());
    const statuses = await Promise.all(
      clocks.flatMap((clock, i) =>
        Array.from({ length: 4 }, () => uses[i]?.(clientId, clock, "search", testTableOf(table))),
      ),
    );
    return statuses.filter((status) => status === 200).length;
  };

  test("there are as many as the minute allows, and in the end as many as the day does", async () => {
    const clientId = randomUUID();
    const clock = new TestClock(noon);
    const granted: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      granted.push(await atOnce(clientId, Array(4).fill(clock)));
      clock.advance(60_000);
    }
    expect(granted).toEqual([5, 5, 2, 0]);
    expect(await useOf(clientId, "2026-03-01")).toMatchObject({ in_day: 12 });
  });

  test("those whose clock is behind take from the minute that others have begun", async () => {
    const [ahead, behind, clientId] = [await instance(), await instance(), randomUUID()];
    expect(await times(3, () => ahead(clientId, new TestClock(noon)))).toEqual([200, 200, 200]);
    const late = new TestClock("2026-03-01T11:59:59.000Z");
    expect(await times(3, () => behind(clientId, late))).toEqual([200, 200, 61]);
    expect(await ahead(clientId, new TestClock(noon))).toBe(60);
  });
});

describe("what it costs", () => {
  const calls = async (work: (counted: Table) => Promise<unknown>) => {
    const counted = testTableOf(table);
    const commands: string[] = [];
    interceptCalls(counted).before = (command) => void commands.push(command);
    await work(counted);
    return commands;
  };

  test("one update, two where another instance has begun the minute, and none once it is used up", async () => {
    const [one, other, clientId, clock] = [await instance(), await instance(), randomUUID(), new TestClock(noon)];
    const update = "UpdateItemCommand";
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => other(clientId, clock, "search", by))).toEqual([update, update]);
    expect(await calls((by) => other(clientId, clock, "search", by))).toEqual([update]);
    await one(clientId, clock);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
    expect(await calls((by) => times(9, () => one(clientId, clock, "search", by)))).toEqual([]);
    clock.advance(60_000);
    expect(await calls((by) => one(clientId, clock, "search", by))).toEqual([update]);
  });

  test("the same whoever else asks meanwhile", async () => {
    const [use, busy, done, other, clock] = [
      await instance(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
      new TestClock(noon),
    ];
    for (let minute = 0; minute < 3; minute++) {
      await times(5, () => use(done, clock));
      clock.advance(60_000);
    }
    await use(busy, clock);
    await use(other, clock);
    expect(await calls((by) => use(done, clock, "search", by))).toEqual([]);
    expect(await calls((by) => use(busy, clock, "search", by))).toEqual(["UpdateItemCommand"]);
  });
});

test("an item that was removed meanwhile is made again", async () => {
  const [use, clientId, clock] = [await instance(), randomUUID(), new TestClock(noon)];
  await times(4, () => use(clientId, clock));
  await table.delete(rateLimitKey(clientId, "search", "2026-03-01"));
  expect(await times(6, () => use(clientId, clock))).toEqual([...Array(5).fill(200), 60]);
});
