import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AsyncCache } from "../../../../shared/pos/framework/asyncCache.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("makes a value once, for all who ask meanwhile", async () => {
  const memo = new AsyncCache<object>(2, 1000);
  const make = vi.fn(async () => ({}));
  const [a, b] = await Promise.all([memo.get("a", make), memo.get("a", make)]);
  expect(a).toBe(b);
  expect(await memo.get("a", make)).toBe(a);
  expect(make).toHaveBeenCalledTimes(1);
});

test("makes it anew when its time has passed, counted from when it was there", async () => {
  const memo = new AsyncCache<number>(2, (value) => value);
  await memo.get("a", async () => 1000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await memo.get("a", async () => 0)).toBe(1000);
  await vi.advanceTimersByTimeAsync(1);
  expect(await memo.get("a", async () => 7)).toBe(7);
});

test("keeps no failure, and forgets when told", async () => {
  const memo = new AsyncCache<number>(2, 1000);
  await expect(
    memo.get("a", async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await memo.get("a", async () => 1)).toBe(1);
  memo.forget("a");
  expect(await memo.get("a", async () => 2)).toBe(2);
});

test("keeps the latest few", async () => {
  const memo = new AsyncCache<number>(2, 1000);
  for (const key of ["a", "b", "c"]) await memo.get(key, async () => 1);
  expect(await memo.get("c", async () => 2)).toBe(1);
  expect(await memo.get("a", async () => 2)).toBe(2);
});
