import { describe, expect, test } from "vitest";
import { computePosRetryMs } from "../../../../shared/domain/replication/computePosRetryMs.ts";

const minute = 60_000;
const hour = 60 * minute;
const least = () => 0.999_999;
const most = () => 0;

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
  ] as const)("%s for the %ith time: %i ms at most, half of it at least", (failure, attempts, expected) => {
    expect(computePosRetryMs({ failure }, attempts, most)).toBe(expected);
    expect(computePosRetryMs({ failure }, attempts, least)).toBeCloseTo(expected / 2, -2);
  });

  test.each([
    [60, 60_000, 66_000],
    [3_600, hour, 1.1 * hour],
    [1e9, 24 * hour, 26.4 * hour],
    [Number.POSITIVE_INFINITY, 24 * hour, 26.4 * hour],
  ])("of a POS that asks for %i s is that at least", (retryAfter, from, to) => {
    expect(computePosRetryMs({ failure: "limited", retryAfter }, 1, () => 0)).toBe(from);
    expect(computePosRetryMs({ failure: "limited", retryAfter }, 1, least)).toBeCloseTo(to, -2);
  });

  test("grows all the same for a POS that asks for next to nothing, again and again", () => {
    for (const retryAfter of [0, 1, -5, Number.NaN]) {
      expect(computePosRetryMs({ failure: "limited", retryAfter }, 5, most)).toBe(80_000);
    }
  });
});
