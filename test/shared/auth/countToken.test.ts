import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { countToken, tokenLifetimeSeconds } from "../../../shared/auth/countToken.ts";
import type { Table } from "../../../shared/store/client.ts";
import { tokenCountKey } from "../../../shared/store/keys/credentials.ts";
import { racedTable } from "../../racedTable.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

const table = useTestTable();

/** Midnight. The second before it is the last one of a minute, an hour and a day. */
const midnight = Date.parse("2026-03-02T00:00:00.000Z") / 1000;

/** A credential for which tokens were issued. The keys are epoch seconds, the values numbers of tokens. */
async function createIssuer(issued: Record<number, number> = {}) {
  const clientId = randomUUID();
  const entries = Object.entries(issued);
  if (entries.length > 0) {
    await table().put({
      ...tokenCountKey(clientId),
      since: Math.min(...entries.map(([second]) => Number(second))),
      issued: entries.reduce((sum, [, tokens]) => sum + tokens, 0),
      ...Object.fromEntries(entries.map(([second, tokens]) => [`m${Math.floor(Number(second) / 60)}`, tokens])),
    });
  }
  /** Returns 200, or the `Retry-After` of the 429 in seconds. */
  const issue = (at: number, by: Table = table()): Promise<number> =>
    countToken(by, clientId, at).then(
      () => 200,
      ({ kind, details }) => (kind === "throttled" ? details.retryAfter : expect.fail(kind)),
    );
  const stored = () => table().get(tokenCountKey(clientId), { consistent: true });
  return { clientId, issue, stored };
}

test("a credential has at most a hundred valid tokens", async () => {
  const { issue } = await createIssuer();
  for (let i = 0; i < 4; i++) {
    const many = await Promise.all(Array.from({ length: 25 }, () => issue(midnight + 30)));
    expect(new Set(many)).toEqual(new Set([200]));
  }
  // All were issued in the first minute. They have expired an hour after the last second of that minute.
  expect(await issue(midnight + 30)).toBe(tokenLifetimeSeconds + 29);
  expect(await issue(midnight + 59 + tokenLifetimeSeconds - 1)).toBe(1);
  expect(await issue(midnight + 59 + tokenLifetimeSeconds)).toBe(200);
});

describe("a credential can have another token", () => {
  test("as its tokens expire, minute by minute, across the hour and the day", async () => {
    const [early, late] = [midnight - 300, midnight - 60];
    const { issue, stored } = await createIssuer({ [early]: 1, [late]: 2, [midnight]: 97 });
    expect(await issue(midnight)).toBe(early + 59 + tokenLifetimeSeconds - midnight);
    expect(await issue(early + 59 + tokenLifetimeSeconds)).toBe(200);
    expect(await issue(early + 59 + tokenLifetimeSeconds)).toBe(late - early);
    expect([await issue(late + 59 + tokenLifetimeSeconds), await issue(late + 59 + tokenLifetimeSeconds)]).toEqual([
      200, 200,
    ]);
    expect(await issue(late + 59 + tokenLifetimeSeconds)).toBe(60);
    // Counts of expired tokens are not kept.
    expect(Object.keys((await stored()) ?? {}).filter((name) => name.startsWith("m"))).toHaveLength(3);
  });

  test("never before a token has expired, and less than a minute after", async () => {
    for (const second of [0, 1, 58, 59]) {
      const at = midnight + second;
      const { issue } = await createIssuer({ [at]: 100 });
      const wait = await issue(at);
      expect(wait).toBeGreaterThanOrEqual(tokenLifetimeSeconds);
      expect(wait).toBeLessThan(tokenLifetimeSeconds + 60);
      expect(await issue(at + wait - 1)).toBe(1);
      expect(await issue(at + wait)).toBe(200);
    }
  });

  test("however many tokens it had before", async () => {
    const { issue } = await createIssuer({ [midnight - 86_400]: 5_000, [midnight]: 99 });
    expect([await issue(midnight), await issue(midnight)]).toEqual([200, tokenLifetimeSeconds + 59]);
  });
});

describe("of many requests at once", () => {
  const atOnce = async (issue: Awaited<ReturnType<typeof createIssuer>>["issue"], seconds: readonly number[]) =>
    (await Promise.all(seconds.map((at) => issue(at, testTableOf(table()))))).filter((status) => status === 200).length;

  test("only as many succeed as tokens are free", async () => {
    for (const places of [0, 1, 7]) {
      const { issue } = await createIssuer({ [midnight]: 100 - places });
      expect(await atOnce(issue, Array(20).fill(midnight + 60))).toBe(places);
    }
  });

  test("only as many succeed as tokens are free, while an hour ends and other tokens expire", async () => {
    // Half of the requests come in the last second of an hour, half in the first second of the next; 5 tokens have just
    // expired.
    const { issue } = await createIssuer({ [midnight - tokenLifetimeSeconds - 60]: 5, [midnight - 1800]: 95 });
    const seconds = Array.from({ length: 24 }, (_, i) => midnight - (i % 2));
    expect(await atOnce(issue, seconds)).toBe(5);
  });

  test("none succeeds if others take the free tokens between its read and its write", async () => {
    const { issue } = await createIssuer({ [midnight]: 98 });
    const take = async () => expect([await issue(midnight), await issue(midnight)]).toEqual([200, 200]);
    const raced = racedTable(table(), take, "UpdateItemCommand");
    expect(await issue(midnight, raced)).toBe(tokenLifetimeSeconds + 59);
  });
});

test("a token that was counted but not issued because of a crash counts for an hour and no longer", async () => {
  const { clientId, issue } = await createIssuer({ [midnight]: 99 });
  const crashing = testTableOf(table());
  interceptCalls(crashing).after = (command) => {
    if (command === "UpdateItemCommand") throw new Error("killed");
  };
  await expect(countToken(crashing, clientId, midnight + 120)).rejects.toThrow("killed");
  expect(await issue(midnight + 120)).toBe(tokenLifetimeSeconds - 61);
  expect(await issue(midnight + 59 + tokenLifetimeSeconds)).toBe(200);
});

describe("the token count of a credential", () => {
  test("expires a day after its last token", async () => {
    const { issue, stored } = await createIssuer({ [midnight - 600]: 3 });
    await issue(midnight);
    expect((await stored())?.expires).toBe(midnight + 59 + tokenLifetimeSeconds + 86_400);
  });

  test("allows no more valid tokens if it expires between the read and the write while other calls start it again", async () => {
    const { clientId, issue } = await createIssuer({ [midnight - 86_400]: 500 });
    const startAgain = async () => {
      await table().delete(tokenCountKey(clientId));
      const others = await Promise.all(Array.from({ length: 100 }, () => issue(midnight)));
      expect(new Set(others)).toEqual(new Set([200]));
    };
    const raced = racedTable(table(), startAgain, "UpdateItemCommand");
    expect(await issue(midnight, raced)).toBe(tokenLifetimeSeconds + 59);
  });
});
