import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AsyncCache } from "../../../../shared/pos/framework/asyncCache.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a value is created once for simultaneous callers", async () => {
  const cache = new AsyncCache<object>(2, 1000);
  const make = vi.fn(async () => ({}));
  const [a, b] = await Promise.all([cache.get("a", make), cache.get("a", make)]);
  expect(a).toBe(b);
  expect(await cache.get("a", make)).toBe(a);
  expect(make).toHaveBeenCalledTimes(1);
});

test("a value is created again after its lifetime, which starts when it is available", async () => {
  const cache = new AsyncCache<number>(2, (value) => value);
  await cache.get("a", async () => 1000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await cache.get("a", async () => 0)).toBe(1000);
  await vi.advanceTimersByTimeAsync(1);
  expect(await cache.get("a", async () => 7)).toBe(7);
});

test("failures are not cached, and a value can be removed", async () => {
  const cache = new AsyncCache<number>(2, 1000);
  await expect(
    cache.get("a", async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await cache.get("a", async () => 1)).toBe(1);
  cache.forget("a");
  expect(await cache.get("a", async () => 2)).toBe(2);
});

test("only the latest values are kept", async () => {
  const cache = new AsyncCache<number>(2, 1000);
  for (const key of ["a", "b", "c"]) await cache.get(key, async () => 1);
  expect(await cache.get("c", async () => 2)).toBe(1);
  expect(await cache.get("a", async () => 2)).toBe(2);
});
