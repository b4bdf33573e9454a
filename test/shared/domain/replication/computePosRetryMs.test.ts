import { describe, expect, test } from "vitest";
import { computePosRetryMs } from "../../../../shared/domain/replication/computePosRetryMs.ts";

const minute = 60_000;
const hour = 60 * minute;
const randomForMin = () => 0.999_999;
const randomForMax = () => 0;

describe("the pause after a failure", () => {
  test.each([
    ["unreachable", 1, minute],
    ["unreachable", 2, 2 * minute],
    ["notUnderstood", 4, 8 * minute],
    ["unreachable", 7, hour],
    ["unreachable", 1_000, hour],
    ["limited", 1, 5_000],
    ["limited", 3, 20_000],
    ["limited", 50, hour],
    ["credentialsRefused", 1, 20 * minute],
    ["locationGone", 1, 20 * minute],
    ["notPermitted", 1, hour],
    ["locationGone", 2, 2 * hour],
    ["notPermitted", 9, 12 * hour],
  ] as const)("%s, failure number %i: at most %i ms, at least half of it", (failure, attempts, expected) => {
    expect(computePosRetryMs({ failure }, attempts, randomForMax)).toBe(expected);
    expect(computePosRetryMs({ failure }, attempts, randomForMin)).toBeCloseTo(expected / 2, -2);
  });

  test.each([
    [60, 60_000, 66_000],
    [3_600, hour, 1.1 * hour],
    [1e9, 24 * hour, 26.4 * hour],
    [Number.POSITIVE_INFINITY, 24 * hour, 26.4 * hour],
  ])("is at least as long as requested if a POS requests %i s", (retryAfter, from, to) => {
    expect(computePosRetryMs({ failure: "limited", retryAfter }, 1, () => 0)).toBe(from);
    expect(computePosRetryMs({ failure: "limited", retryAfter }, 1, randomForMin)).toBeCloseTo(to, -2);
  });

  test("also grows for a POS that always requests almost no pause", () => {
    for (const retryAfter of [0, 1, -5, Number.NaN]) {
      expect(computePosRetryMs({ failure: "limited", retryAfter }, 5, randomForMax)).toBe(80_000);
    }
  });
});
