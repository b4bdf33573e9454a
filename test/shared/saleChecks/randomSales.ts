import fc from "fast-check";
import { idTypes, posTypeNames, productCategories } from "../../../shared/api/enumerations.ts";
import type { CheckedLine, CheckedSale } from "../../../shared/saleChecks/saleRule.ts";
import { releasedRules } from "../../../shared/saleChecks/saleRules.ts";
import words from "../../../shared/saleChecks/words.json" with { type: "json" };
import { addDays } from "../../../shared/time/addDays.ts";

const often = <T>(value: T, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3 * others.length, arbitrary: fc.constant(value) }, ...others);
const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Days on which rules begin or end, the days around them, and leap days. */
const days = [
  "2024-02-29",
  "2025-02-28",
  "2026-11-01",
  ...releasedRules.flatMap(({ from, to }) => [addDays(from, -1), from, ...(to === null ? [] : [to, addDays(to, 1)])]),
];
/** Times around frames of hours with their tolerance. */
const times = releasedRules.flatMap(({ check, value }) =>
  check === "sale_hours" && value !== null
    ? String(value)
        .split("-")
        .flatMap((edge) => [-11, -10, 0, 10, 11].map((minutes) => localTime(Number(edge.slice(0, 2)) * 60 + minutes)))
    : [],
);
function localTime(minutes: number): string {
  const hour = Math.floor((minutes + 1440) / 60) % 24;
  return `${String(hour).padStart(2, "0")}:${String((minutes + 60) % 60).padStart(2, "0")}:00.000`;
}

/** Grams around limits, and usual ones. */
const grams = [
  1,
  3.5,
  7,
  14,
  28,
  ...releasedRules.flatMap(({ unit, value, tolerance }) =>
    unit?.startsWith("g_") && typeof value === "number"
      ? [value, ...[-0.01, 0, 0.01].map((more) => Number((value + (tolerance ?? 0) + more).toFixed(2)))]
      : [],
  ),
];

const spellings = [
  (word: string) => word,
  (word: string) => `${word}s`,
  (word: string) => word.toUpperCase(),
  (word: string) => word.replaceAll(" ", "-"),
  (word: string) => `x${word}`,
  (word: string) => word.replace(/[aeiou]/, "$&\u0301"),
];
const name = fc
  .array(
    fc
      .tuple(
        often("Blue Dream", oneOf(...Object.values(words).flat()), oneOf("gas", "510", "3.5g")),
        oneOf(...spellings),
      )
      .map(([word, spelled]) => spelled(word)),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(" "));

const line: fc.Arbitrary<CheckedLine> = fc.record({
  product_name: often<string | null>("Cart", name, name, oneOf(null)),
  product_type: fc.oneof(
    oneOf<string | null>("flower", "flower", "extract", "oil/concentrate", "edible"),
    oneOf<string | null>(...productCategories, null, "vapor"),
  ),
  cannabis_product: often<boolean | null>(true, oneOf(false, null)),
  num_units: often<number | null>(1, oneOf(2, 10, 20, 100), oneOf(null, 0, -1, 0.5)),
  price_per_unit: often<number | null>(3000, oneOf(1500, 2500, null, 0, 0.4, 0.5)),
  grams: fc.oneof(
    { weight: 8, arbitrary: oneOf<number | null>(...grams) },
    oneOf<number | null>(null, 0, -3.5),
    fc.integer({ max: 9999 }).map((hundredths) => hundredths / 100),
  ),
  thc_mg_per_unit: oneOf<number | null>(null, 0, 10, 72, 85, 800, 8000),
  line_item_discounts: often<{ flat_amount: number | null }[]>(
    [],
    oneOf([{ flat_amount: 3000 }], [{ flat_amount: null }], [{ flat_amount: 1500 }, { flat_amount: 1500 }]),
  ),
  line_item_taxes: oneOf<unknown[]>([], [{}]),
});

const sale = (day: string): fc.Arbitrary<CheckedSale> => {
  /** Years and days before the sale. */
  const before = (years: readonly number[]) =>
    fc.tuple(oneOf(...years), oneOf(-1, 0, 1)).map(([count, more]): string | null => {
      const other = addDays(day, more);
      return `${Number(other.slice(0, 4)) - count}${other.slice(4)}`.replace(/(?<=[^048]|[2468][26])-02-29/, "-02-28");
    });
  const moment = (ms: number): string | null => new Date(Date.parse(`${day}T20:00:00.000Z`) + ms).toISOString();
  return fc.record({
    date: often(moment(0), oneOf(null)),
    local_date: often("12:00:00.000", oneOf(...times), oneOf("00:00:00.000", "00:00:00.001", "22:10:00.001")).map(
      (time) => `${day} ${time}`,
    ),
    svc_created_date: often(moment(1), oneOf(null, moment(259_200_000), moment(259_200_001), moment(-259_200_001))),
    transaction_type: fc.oneof(
      { weight: 20, arbitrary: oneOf<string | null>("sale") },
      oneOf<string | null>("return", "adjustment", null),
    ),
    pos_name: oneOf("Dutchie", "Treez", ...posTypeNames),
    tax_paid: often<number | null>(450, oneOf(0, null)),
    total_paid: often<number | null>(3450, oneOf(0, -3450, null)),
    taxes: oneOf<unknown[]>([], [{}]),
    line_items: fc.oneof(
      { weight: 5, arbitrary: fc.array(line, { minLength: 1, maxLength: 2 }) },
      fc.array(line, { maxLength: 5 }),
    ),
    customer: fc.record({
      type: oneOf<"rec" | "medical" | null>("rec", "rec", "rec", "rec", "medical", "medical", null),
      dob: often<string | null>(
        "1990-05-05",
        before([17, 20]),
        before([9, 10, 17, 18, 20, 21, 110, 111]),
        oneOf(null, "1900-01-01", "1901-01-01", "1970-01-01", "2000-01-01", "2000-01-02", "2004-02-29"),
      ),
      id_type: oneOf(null, ...idTypes),
      id_expiration_date: often<string | null>(
        null,
        before([0, 10, 11, -1]),
        oneOf("1900-01-01", "0000-00-00", "soon"),
      ),
    }),
  });
};

/** The same sales for the same seed: of all states with rules and of one without, with missing values and values at limits. */
export function randomSales(seed: number, count: number): { state: string; sale: CheckedSale }[] {
  const states = [...new Set(releasedRules.flatMap(({ state }) => state ?? "TX"))];
  const sales = fc
    .tuple(oneOf(...states), often("2026-05-20", oneOf(...days)))
    .chain(([state, day]) => fc.record({ state: fc.constant(state), sale: sale(day) }));
  return fc.sample(sales, { seed, numRuns: count });
}
