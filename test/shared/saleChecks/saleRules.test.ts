import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { saleRule } from "../../../shared/api/schemas/saleRule.ts";
import { ruleName } from "../../../shared/saleChecks/ruleName.ts";
import { releasedRules } from "../../../shared/saleChecks/saleRules.ts";

const folder = `${import.meta.dirname}/../../../shared/saleChecks/rules`;
const files = readdirSync(folder);
const rulesOf = (file: string): unknown[] => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));

const limitUnits = [
  "g_flower",
  "g_concentrate",
  "g_flower_equivalent",
  "mg_thc",
  "mg_thc_edible",
  "mg_thc_concentrate",
];
const limitCheck = z.object({
  value: z.number().positive(),
  unit: z.enum(limitUnits),
  tolerance: z.number().positive().nullable(),
  equivalence: z
    .partialRecord(z.enum(["g_flower", "g_concentrate", "g_thc_concentrate", "mg_thc"]), z.number().positive())
    .nullable(),
  not_limited: z.array(z.enum(["flower", "concentrate", "edible", "topical", "plant"])).nullable(),
});
const noLimit = { tolerance: z.null(), equivalence: z.null(), not_limited: z.null() };
const noValue = z.object({ value: z.null(), unit: z.null(), ...noLimit });
const weight = z.object({
  value: z.number().positive(),
  unit: z.enum(["g_per_edible", "g_per_cartridge"]),
  ...noLimit,
});

/** The values, units and tolerances that each check can read. */
const checkValues: Readonly<Record<string, z.ZodType>> = {
  minimum_age: z.object({ value: z.int().min(18).max(21), unit: z.literal("years"), ...noLimit }),
  sale_hours: z.object({
    ...noLimit,
    value: z.string().regex(/^[01]\d:[0-5]\d-[0-2]\d:[0-5]\d$/),
    unit: z.literal("local_time"),
    tolerance: z.int().positive(),
  }),
  transaction_limit: limitCheck,
  daily_limit: limitCheck,
  rolling_limit: limitCheck,
  adult_use_not_permitted: noValue,
  free_product: noValue,
  identification: noValue,
  adult_sale_without_tax: noValue,
  identification_expired: noValue,
  medical_card_expired: noValue,
  implausible_weight: weight,
};
const periods: Readonly<Record<string, RegExp>> = {
  daily_limit: /^day$/,
  transaction_limit: /^(sale|possession)$/,
  rolling_limit: /^days:\d+$/,
};

const openable = z.union([
  z.object({ url: z.url({ protocol: /^https?$/ }) }),
  z.object({
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    path: z.string().min(1),
    commit: z.string().regex(/^[0-9a-f]{40}$/),
  }),
]);

/** The titles of sources that are the law or a page of an authority, or that quote one of them. */
const authoritative =
  /^(Statute|Regulation|Rule) text|^Michigan Administrative Rules|^Regulator page|^(City|County) (code|page)|^Courts' page|quot(es|ing)/;

/** A rule as its file must have it. A rule that is not enabled may lack its value, or have one in words. */
const strictRule = saleRule.superRefine((rule, context) => {
  const expectThat = (isFulfilled: boolean, message: string) => {
    if (!isFulfilled) context.addIssue({ code: "custom", message: `${rule.id}: ${message}` });
  };
  expectThat(
    /^(?:[A-Z]{2}\.(?:adult|medical|all)|all\.\w+)\.\w+(?:\.\d{4})?$/.test(rule.id) &&
      rule.id.startsWith(`${rule.state ?? "all"}.`),
    "the id begins with the state and the customers",
  );
  expectThat(rule.state === null || rule.id.split(".")[1] === rule.applies_to, "the id names the customers");
  expectThat(rule.to === null || rule.from <= rule.to, "the rule ends after it begins");
  expectThat(
    rule.sources.every((source) => openable.safeParse(source).success),
    "every source can be opened",
  );
  expectThat(
    new Set(rule.sources.map((source) => JSON.stringify(source))).size === rule.sources.length,
    "sources differ",
  );
  expectThat(rule.enabled === (rule.why_not === null), "a rule is off exactly if the file says why");
  expectThat(rule.why_not !== "", "why_not has a text");
  const checkValue = checkValues[rule.check];
  expectThat(checkValue !== undefined, "the check is known");
  expectThat((periods[rule.check] ?? /^sale$/).test(rule.period), "the period fits the check");
  const isInWords = !rule.enabled && (rule.value === null || rule.unit === null);
  expectThat(isInWords || checkValue?.safeParse(rule).success === true, "value, unit and tolerance fit the check");
  if (!rule.enabled) return;
  expectThat(rule.check !== "rolling_limit" && rule.period !== "possession", "a sale alone can break the rule");
  if (rule.state === null) {
    expectThat(rule.citation === null && rule.severity === "warning", "without a law, a rule only warns");
    return;
  }
  expectThat(rule.citation !== null && rule.sources.length >= 2, "two sources");
  expectThat(
    rule.sources.some(({ title }) => authoritative.test(title)),
    "one source is the law or a page of an authority, or quotes one of them",
  );
  if (rule.check === "transaction_limit" || rule.check === "daily_limit") {
    const value = Number(rule.value);
    expectThat(
      rule.tolerance === 0.011 || Math.abs((rule.tolerance ?? 0) - value / 100) < 1e-6,
      "the tolerance is a hundredth of the ounces, or 0.011 g",
    );
    expectThat((rule.unit === "g_flower_equivalent") <= (rule.equivalence !== null), "what equals a gram of flower");
    expectThat(
      rule.not_limited?.every((kind) => rule.unit !== `g_${kind}` && rule.equivalence?.[`g_${kind}`] === undefined) ===
        true,
      "a kind is limited or not",
    );
  }
});

test.each(files)("%s has rules that can be read and trusted", (file) => {
  const rules = z.array(strictRule).min(1).parse(rulesOf(file));
  for (const { state } of rules) expect(`${state?.toLowerCase() ?? "all"}.json`).toBe(file);
});

test("every file is part of the release, and every id is unique", () => {
  const ids = releasedRules.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...new Set(files.flatMap(rulesOf).map((rule) => saleRule.parse(rule).id))].sort());
});

test("a rule has a name in words, and a rule of a stage the words of its id", () => {
  for (const { id } of releasedRules) expect(ruleName(id)).toMatch(/^[A-Z][A-Za-z0-9, ]+$/);
  const names = [
    "CO.adult.daily_flower.2024",
    "IL.medical.sale_total",
    "all.edible.implausible_weight",
    "CO.adult.own_rule",
    "CO.adult.constructor",
  ];
  expect(names.map(ruleName)).toEqual([
    "Flower in one day",
    "All cannabis in one sale, medical",
    "Weight of an edible",
    "Own rule",
    "Constructor",
  ]);
});

test("36 rules of states and 5 of every state are enabled", () => {
  const enabled = releasedRules.filter((rule) => rule.enabled);
  expect(enabled.filter(({ state }) => state !== null)).toHaveLength(36);
  expect(enabled.filter(({ state }) => state === null)).toHaveLength(5);
});

test("rules of one check and the same customers never hold on the same day, unless they limit different things", () => {
  const enabled = releasedRules.filter((rule) => rule.enabled);
  for (const rule of enabled) {
    const others = enabled.filter(
      (other) =>
        other !== rule &&
        [other.state, other.check, other.applies_to, other.unit].join() ===
          [rule.state, rule.check, rule.applies_to, rule.unit].join() &&
        other.from <= (rule.to ?? "9999") &&
        rule.from <= (other.to ?? "9999"),
    );
    expect(others.map(({ id }) => id)).toEqual([]);
  }
});
