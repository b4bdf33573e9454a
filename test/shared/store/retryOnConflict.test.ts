import { expect, test, vi } from "vitest";
import { log } from "../../../shared/platform/aws/log.ts";
import { retryOnConflict, StaleReadError } from "../../../shared/store/retryOnConflict.ts";
import { TestClock } from "./orderedList/listUnderTest.ts";

const newClock = () => new TestClock("2026-03-01T12:00:00.000Z");

test("a call that always conflicts gives up after seconds, whatever the reason", async () => {
  for (let i = 0; i < 20; i++) {
    const clock = newClock();
    const begun = clock.time;
    const attempt = vi.fn(() => Promise.reject(new StaleReadError()));
    await expect(retryOnConflict(clock, attempt)).rejects.toMatchObject({ kind: "unavailable" });
    expect(attempt.mock.calls.length).toBeGreaterThan(10);
    expect(clock.time - begun).toBeLessThan(7_000);
  }
});

test("any other failure is reported at once", async () => {
  const attempt = vi.fn(() => Promise.reject(new Error("another")));
  await expect(retryOnConflict(newClock(), attempt)).rejects.toThrow("another");
  expect(attempt).toHaveBeenCalledTimes(1);
});

test("each retry is logged at debug level with only the name of its reason", async () => {
  const debug = vi.spyOn(log, "debug").mockImplementation(() => undefined);
  let attempts = 0;
  await retryOnConflict(newClock(), async () => {
    if (attempts++ === 0) throw new StaleReadError("a value");
  });
  expect(debug.mock.calls).toEqual([["retries", { reason: "StaleReadError", failed: 1 }]]);
  debug.mockRestore();
});
