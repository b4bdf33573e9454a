import { describe, expect, test } from "vitest";
import { arrivalsAt, deliveries, newcomers } from "../../../../shared/pos/sandbox/arrivals.ts";

const day = 24 * 60 * 60;

describe.each([15, 900])("at ticks of %i seconds", (tickSeconds) => {
  test.each([{ paces: newcomers }, { paces: deliveries }])(
    "the nth arrival comes at the tick at which n have arrived",
    ({ paces }) => {
      const arrivals = arrivalsAt(paces, tickSeconds);
      const arrived: number[] = [];
      for (let tick = 1; tick <= (10 * day) / tickSeconds; tick++) {
        if (arrivals.by(tick) > arrived.length) arrived.push(tick);
      }
      expect(arrived.length).toBe(arrivals.by((10 * day) / tickSeconds));
      expect(arrived.map((_, i) => arrivals.tickOf(i + 1))).toEqual(arrived);
    },
  );

  test("a month has fewer than 3,000 newcomers and 1,100 packages", () => {
    expect(arrivalsAt(newcomers, tickSeconds).by((30 * day) / tickSeconds)).toBeLessThan(3000);
    expect(arrivalsAt(deliveries, tickSeconds).by((30 * day) / tickSeconds)).toBeLessThan(1100);
  });
});

test("every minute of the first day has a newcomer, and every tick of its first two hours", () => {
  const arrivals = arrivalsAt(newcomers, 15);
  for (let minute = 1; minute <= 24 * 60; minute++) {
    expect(arrivals.by(4 * minute) - arrivals.by(4 * (minute - 1))).toBe(minute <= 120 ? 4 : 1);
  }
  expect(arrivals.by(4 * 60 * 25) - arrivals.by(4 * 60 * 24)).toBe(1);
});
