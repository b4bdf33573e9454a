import { expect, test, vi } from "vitest";
import { log } from "../../../shared/platform/aws/log.ts";
import { retryOnConflict, StaleReadError } from "../../../shared/store/retryOnConflict.ts";
import { TestClock } from "./orderedList/listUnderTest.ts";

test("a call that always conflicts gives up after seconds, whatever the reason", async () => {
  for (let i = 0; i < 20; i++) {
    const clock = new TestClock("2026-03-01T12:00:00.000Z");
    const begun = clock.time;
    let attempts = 0;
    const call = retryOnConflict(clock, async () => {
      attempts++;
      throw new StaleReadError();
    });
    await expect(call).rejects.toMatchObject({ kind: "unavailable" });
    expect(attempts).toBeGreaterThan(10);
    expect(clock.time - begun).toBeLessThan(7_000);
  }
});

test("any other failure is reported at once", async () => {
  let attempts = 0;
  const failed = retryOnConflict(new TestClock("2026-03-01T12:00:00.000Z"), async () => {
    attempts++;
    throw new Error("another");
  });
  await expect(failed).rejects.toThrow("another");
  expect(attempts).toBe(1);
});

test("each retry is logged at debug level with only the name of its reason", async () => {
  const debug = vi.spyOn(log, "debug").mockImplementation(() => undefined);
  let isFirst = true;
  await retryOnConflict(new TestClock("2026-03-01T12:00:00.000Z"), async () => {
    if (isFirst) {
      isFirst = false;
      throw new StaleReadError("a value");
    }
  });
  expect(debug.mock.calls).toEqual([["retries", { reason: "StaleReadError", failed: 1 }]]);
  debug.mockRestore();
});
