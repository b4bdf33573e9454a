import { beforeEach, expect, test } from "vitest";
import {
  giveTrialBack,
  type PosBreaker,
  passBreaker,
  recordReach,
} from "../../../../shared/domain/replication/posBreaker.ts";
import { posTypeKey } from "../../../../shared/store/keys/replication.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
const start = Date.parse("2026-03-02T12:00:00.000Z");
const at = (seconds: number) => new Date(start + seconds * 1_000);
const read = async () => ((await table().get(posTypeKey("Blaze"), { consistent: true })) ?? {}) as PosBreaker;

beforeEach(() => table().delete(posTypeKey("Blaze")));

/** A run that begins at a second and ends at another one. */
async function run(begin: number, end: number, isReached: boolean): Promise<"ran" | Date> {
  const breaker = await read();
  const passed = await passBreaker(table(), "Blaze", breaker, at(begin));
  if ("until" in passed) return passed.until;
  await recordReach(table(), "Blaze", { ...breaker, ...passed }, isReached, at(end));
  return "ran";
}

/** Opens the breaker at second 450. */
async function openBreaker(): Promise<void> {
  for (let i = 0; i < 9; i++) await run(i, i + 30, false);
  expect(await run(420, 450, false)).toBe("ran");
}

test("ten runs in seven minutes that do not reach the POS open the breaker", async () => {
  for (let i = 0; i < 12; i++) expect(await run(i, i + 30, false)).toBe("ran");
  expect(await run(419, 449, false)).toBe("ran");
  expect(await run(420, 450, false)).toBe("ran");
  expect(await run(451, 481, false)).toEqual(at(510));
});

test("a hundred runs in a minute that do not reach the POS open the breaker", async () => {
  for (let i = 0; i < 100; i++) expect(await run(i / 2, i / 2 + 30, false)).toBe("ran");
  expect(await run(59, 90, false)).toBe("ran");
  expect(await run(91, 121, false)).toEqual(at(150));
});

test("of two shops of a type, one that is down opens no breaker while the other one is read every five minutes", async () => {
  for (let minute = 0; minute < 60; minute++) {
    for (const second of [0, 20, 40])
      expect(await run(60 * minute + second, 60 * minute + second + 15, false)).toBe("ran");
    // Five minutes and a tenth between two runs.
    if (minute % 6 === 5) expect(await run(60 * minute + 50, 60 * minute + 51, true)).toBe("ran");
  }
  expect(await read()).not.toHaveProperty("open_until");
});

test("a run that reaches the POS half a minute after the first failure starts the count again", async () => {
  for (let i = 0; i < 12; i++) await run(i, i + 30, false);
  await run(62, 63, true);
  for (let i = 0; i < 8; i++) await run(100 + i, 200 + i, false);
  expect(await run(300, 330, false)).toBe("ran");
  expect(await run(331, 361, true)).toBe("ran");
  expect(await read()).not.toHaveProperty("failures");
});

test("many failures at the same moment count each", async () => {
  await run(0, 30, false);
  const breaker = await read();
  const ends = Array.from({ length: 9 }, () =>
    recordReach(table(), "Blaze", { ...breaker, isTrial: false }, false, at(450)),
  );
  await Promise.all(ends);
  expect(await read()).toMatchObject({ failures: 10, open_until: at(510).toISOString() });
});

test("after the pause one run begins as the trial, and others wait", async () => {
  await openBreaker();
  const breaker = await read();
  expect(breaker).toMatchObject({ open_until: at(510).toISOString() });
  expect(await passBreaker(table(), "Blaze", breaker, at(509))).toEqual({ until: at(510) });
  const passed = await Promise.all(Array.from({ length: 5 }, () => passBreaker(table(), "Blaze", breaker, at(511))));
  expect(passed.filter((each) => "isTrial" in each)).toMatchObject([{ isTrial: true }]);
});

test("pauses between failed trials grow to five minutes, and a trial that was killed is repeated after two minutes", async () => {
  await openBreaker();
  const pauses: number[] = [];
  let second = 511;
  for (let i = 0; i < 4; i++) {
    expect(await run(second, second + 30, false)).toBe("ran");
    const until = (Date.parse((await read()).open_until as string) - start) / 1_000;
    pauses.push(until - second - 30);
    second = until;
  }
  expect(pauses).toEqual([120, 240, 300, 300]);
  expect(await passBreaker(table(), "Blaze", await read(), at(second))).toMatchObject({ isTrial: true });
  expect(await passBreaker(table(), "Blaze", await read(), at(second + 119))).toEqual({ until: at(second + 120) });
  expect(await passBreaker(table(), "Blaze", await read(), at(second + 120))).toMatchObject({ isTrial: true });
});

test("a trial that reaches the POS closes the breaker", async () => {
  await openBreaker();
  expect(await run(511, 512, true)).toBe("ran");
  expect(await read()).not.toHaveProperty("open_until");
  expect(await run(513, 514, false)).toBe("ran");
});

test("a trial that did not call the POS is given back, unless another one has begun since", async () => {
  await openBreaker();
  const before = await read();
  const claimOf = async (second: number) => {
    const passed = await passBreaker(table(), "Blaze", await read(), at(second));
    return "claim" in passed ? (passed.claim ?? "") : expect.fail();
  };
  const claim = await claimOf(511);
  await giveTrialBack(table(), "Blaze", before, claim);
  expect(await read()).toEqual(before);
  const next = await claimOf(512);
  await giveTrialBack(table(), "Blaze", before, claim);
  expect(await read()).toMatchObject({ open_until: next });
});
