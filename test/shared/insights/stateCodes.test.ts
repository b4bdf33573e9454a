import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InsightDay } from "../../../shared/insights/history.ts";
import { defaultInsightSettings } from "../../../shared/insights/insightCodes.ts";
import {
  isVaried,
  nearerBasis,
  type StateBasis,
  varianceOf,
  variancePercent,
} from "../../../shared/insights/stateCodes.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { find, lastDay, only, series } from "./series.ts";

const daysBefore = (days: number) => addDays(lastDay, -days);

const settings = defaultInsightSettings.state_variance;
const [paid, subtotal] = [436_000, 400_000];

/** Two weeks and a day whose sales are equal, with what the state's system has for each of them. */
function given(totals: Readonly<Record<number, number | null>>, usual = subtotal, days = 15) {
  const dates = Array.from({ length: days }, (_, i) => daysBefore(i)).reverse();
  const changes = Object.fromEntries(dates.map((date) => [date, { figures: { total_paid: paid, subtotal } }]));
  const known = dates.flatMap((date, i): [string, number][] => {
    const total = totals[days - 1 - i];
    return total === null ? [] : [[date, total ?? usual]];
  });
  return { history: series(changes), totals: new Map(known), dates };
}

const raised = (
  totals: Readonly<Record<number, number | null>>,
  { basis = "pos_subtotal", usual = subtotal }: { basis?: StateBasis | null; usual?: number } = {},
  change: Partial<typeof settings> = {},
) => {
  const state = given(totals, usual);
  const window = [state.dates[0] as string, lastDay] as const;
  return find("state_variance", state.history, {
    window,
    state: { totals: state.totals, basis, licenses: [] },
    settings: only("state_variance", change),
  });
};

describe("the basis", () => {
  test("is the figure that is nearer on most days", () => {
    const { history, totals } = given({});
    expect(nearerBasis(totals, history)).toBe("pos_subtotal");
    const withTaxes = given({}, paid);
    expect(nearerBasis(withTaxes.totals, withTaxes.history)).toBe("pos_total");
  });

  test("does not follow days that differ for another reason", () => {
    const { history, totals } = given({ 0: 9_000_000, 1: 1, 2: paid, 3: paid, 4: paid });
    expect(nearerBasis(totals, history)).toBe("pos_subtotal");
  });

  test.each([
    ["unknown_subtotals", "pos_total"],
    ["unknown_totals", "pos_subtotal"],
  ] as const)("with %s on all days, is the other figure if the totals are about equal to it", (unknown, expected) => {
    const { history, totals } = given({}, expected === "pos_total" ? paid : subtotal);
    const far = given({}, expected === "pos_total" ? subtotal : paid).totals;
    const lacking = (...names: string[]) =>
      new Map(
        [...history].map(([date, day]) => {
          const figures = { ...day.figures, ...Object.fromEntries(names.map((name) => [name, 1])) };
          return [date, { ...day, figures }];
        }),
      );
    expect(nearerBasis(totals, lacking(unknown))).toBe(expected);
    expect(nearerBasis(far, lacking(unknown))).toBeNull();
    expect(nearerBasis(totals, lacking("unknown_totals", "unknown_subtotals"))).toBeNull();
  });

  test("is unknown without a day that can be compared", () => {
    expect(nearerBasis(new Map(), series())).toBeNull();
    expect(nearerBasis(new Map([["2019-01-01", 5]]), series())).toBeNull();
  });

  test("is `pos_total` if both are equal, as in a shop without taxes", () => {
    const day: InsightDay = { figures: { total_paid: 100, subtotal: 100 } };
    expect(nearerBasis(new Map([[lastDay, 90]]), new Map([[lastDay, day]]))).toBe("pos_total");
  });

  test("never depends on the order of the days", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 15 }), (sums) => {
        const { history, dates } = given({});
        const entries = sums.map((sum, i): [string, number] => [dates[i] as string, sum]);
        expect(nearerBasis(new Map(entries), history)).toBe(nearerBasis(new Map(entries.toReversed()), history));
      }),
    );
  });
});

describe("a day with a sale whose amount is unknown", () => {
  const findOnLastDay = (name: string, basis: StateBasis) => {
    const { history, totals, dates } = given({ 0: 9_000_000 }, basis === "pos_total" ? paid : subtotal);
    const lacking = new Map([...history, [lastDay, { figures: { total_paid: paid, subtotal, [name]: 1 } }]]);
    const window = [dates[0] as string, lastDay] as const;
    return find("state_variance", lacking, {
      window,
      state: { totals, basis, licenses: [] },
      settings: only("state_variance"),
    });
  };

  test("does not differ from the state's system", () => {
    expect(findOnLastDay("unknown_subtotals", "pos_subtotal")).toEqual([]);
    expect(findOnLastDay("unknown_totals", "pos_total")).toEqual([]);
    expect(findOnLastDay("unknown_totals", "pos_subtotal")).toHaveLength(1);
    const figures = { total_paid: paid, unknown_totals: 1 };
    expect(varianceOf(9_000_000, figures, "pos_total")).toBeNull();
    expect(isVaried(9_000_000, figures, "pos_total", settings)).toBe(false);
  });

  test("says nothing about the basis, unless the known figure is about equal", () => {
    const figures = { total_paid: 400, subtotal: 0, unknown_subtotals: 1 };
    const of = (total: number) => nearerBasis(new Map([[lastDay, total]]), new Map([[lastDay, { figures }]]));
    expect([of(391), of(409), of(400)]).toEqual([null, null, "pos_total"]);
  });
});

describe("the tolerance", () => {
  const figures = { total_paid: 1_000_000, subtotal: 1_000_000 };

  test.each([
    [1_020_000, false],
    [1_020_001, true],
    [980_000, false],
    [979_999, true],
  ])("of 2 percent makes %i cents a variance: %s", (total, is) => {
    expect(isVaried(total, figures, "pos_total", settings)).toBe(is);
  });

  test.each([
    [110_000, false],
    [110_001, true],
  ])("is at least 100 dollars: %i cents against 100,000 are a variance: %s", (total, is) => {
    expect(isVaried(total, { total_paid: 100_000 }, "pos_total", settings)).toBe(is);
  });

  test("holds for days without sales and for days on which returns prevail", () => {
    expect(isVaried(10_001, {}, "pos_total", settings)).toBe(true);
    expect(isVaried(10_000, {}, "pos_total", settings)).toBe(false);
    expect(isVaried(0, {}, "pos_total", { threshold: 0 })).toBe(false);
    expect(isVaried(0, { total_paid: -20_000 }, "pos_total", settings)).toBe(true);
    expect(variancePercent(0, { total_paid: -20_000 }, "pos_total")).toBe(100);
    expect(variancePercent(5, {}, "pos_total")).toBeNull();
  });
});

describe("state_variance", () => {
  test("holds on the first day of a series, and on the first day of a later month", () => {
    const all = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [i, 2 * subtotal]));
    const { dates } = given({});
    const months = [...new Set(dates.slice(7).map((date) => date.slice(0, 7)))];
    const found = raised(all, {});
    // The eighth day is the first one that is judged. The days before it differ, too, and no insight reports them.
    expect(found[0]?.start_date).toBe(dates[7]);
    expect(found.map(({ start_date }) => start_date.slice(0, 7))).toEqual(months);
    expect(raised({ 3: 2 * subtotal, 2: 2 * subtotal }).map(({ start_date }) => start_date)).toEqual([daysBefore(3)]);
    expect(raised({ 4: 2 * subtotal, 2: 0 }).map(({ start_date }) => start_date)).toEqual([
      daysBefore(4),
      daysBefore(2),
    ]);
  });

  test("skips days that the state's system has not completed", () => {
    expect(raised({ 0: null })).toEqual([]);
    const found = raised({ 3: 2 * subtotal, 2: null, 1: 3 * subtotal });
    const latest = { as_of: daysBefore(1), measured: 3 * subtotal, ended_on: lastDay };
    expect(found).toMatchObject([{ start_date: daysBefore(3), measured: 2 * subtotal, latest }]);
  });

  test("is silent while the history is short, and before the first comparison", () => {
    expect(raised({ 0: 0 }, {}, { minimum_history: 15 })).toEqual([]);
    expect(raised({ 0: 0 }, {}, { minimum_history: 14 })).toHaveLength(1);
    expect(raised({ 0: 0 }, { basis: null })).toEqual([]);
  });

  test("names both sums and the difference", () => {
    const [one] = raised({ 0: subtotal + 33_000 });
    expect(one).toMatchObject({ measured: 433_000, expected: subtotal, unit: "cents", windows: [[lastDay, lastDay]] });
    expect(one?.sentence).toBe(
      `The state's system has $4,330.00 for ${lastDay}, $330.00 more than was sold in the POS before taxes ($4,000.00).`,
    );
    const [less] = raised({ 0: paid - 33_000 }, { basis: "pos_total", usual: paid });
    expect(less?.sentence).toContain("$330.00 less than was sold in the POS ($4,360.00).");
  });

  test("of equal sums is silent, however the days are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10_000, max: 10_000 }), { minLength: 15, maxLength: 15 }), (noise) => {
        expect(raised(Object.fromEntries(noise.map((cents, i) => [i, subtotal + cents])))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
