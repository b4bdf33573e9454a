import { describe, expect, test } from "vitest";
import { type Compliance, checkSale, evaluateSale, whyUnchecked } from "../../../shared/saleChecks/checkSale.ts";
import type { CheckedSale, SaleRule } from "../../../shared/saleChecks/saleRule.ts";
import { releasedRules } from "../../../shared/saleChecks/saleRules.ts";
import { furtherCases, furtherRules, notEvaluatedCases, ownRules, type SaleCase, saleCases } from "./saleCases.ts";

const further = [
  ...releasedRules
    .filter(({ id }) => furtherRules.includes(id))
    .map((rule): SaleRule => ({ ...rule, enabled: true, why_not: null })),
  ...ownRules,
];
const allRules = [...releasedRules, ...further];

/** Ids in place of texts, in alphabetical order. */
function byId({ compliance_status, ...lists }: Compliance): Compliance {
  const idsOf = (texts: string[] | null) => texts?.map((text) => text.replace(/: .*/s, "")).sort() ?? null;
  const { compliance_exceptions, compliance_warnings } = lists;
  return {
    compliance_status,
    compliance_exceptions: idsOf(compliance_exceptions),
    compliance_warnings: idsOf(compliance_warnings),
  };
}

const check = (sale: CheckedSale, state: string, rules = releasedRules) => byId(checkSale(sale, state, rules));

function expected([, , , compliance_status, ...ids]: SaleCase): Compliance {
  const idsOf = (severity: SaleRule["severity"]) =>
    ids.filter((id) => allRules.some((rule) => rule.id === id && rule.severity === severity)).sort();
  const isUnchecked = compliance_status === "unchecked";
  return {
    compliance_status,
    compliance_exceptions: isUnchecked ? null : idsOf("exception"),
    compliance_warnings: isUnchecked ? null : idsOf("warning"),
  };
}

const title = ([name, state, , status]: SaleCase, index: number): string => `${index} ${state}, ${name}: ${status}`;

describe("a sale by the rules as they are", () => {
  test.each(saleCases.map((row, index) => [title(row, index), row] as const))("%s", (_, row) => {
    expect(check(row[2], row[1])).toEqual(expected(row));
  });
});

describe("a sale by further rules", () => {
  test.each(furtherCases.map((row, index) => [title(row, index), row] as const))("%s", (_, row) => {
    expect(check(row[2], row[1], allRules)).toEqual(expected(row));
  });
});

test("the table has a sale that violates each enabled rule", () => {
  const ids = new Set(saleCases.flatMap(([, , , , ...rules]) => rules));
  const enabled = releasedRules.filter((rule) => rule.enabled && rule.check !== "identification");
  expect(enabled.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
});

test("texts have the rule, value and limit, and never a date of birth", () => {
  const texts = [...saleCases, ...furtherCases].flatMap(([, state, sale]) => {
    const { compliance_exceptions, compliance_warnings } = checkSale(sale, state, allRules);
    const found = [...(compliance_exceptions ?? []), ...(compliance_warnings ?? [])];
    for (const text of found) expect(text).not.toContain(sale.customer.dob);
    return found;
  });
  const shapes = new Set(texts.map((text) => text.replace(/^\S+: /, "").replace(/\d[\d.:-]*/g, "#")));
  expect([...shapes].sort()).toMatchInlineSnapshot(`
    [
      "# cannabis line at # cents, none may be free",
      "# cannabis lines at # cents, none may be free",
      "# g of concentrate in one sale, limit # g of concentrate",
      "# g of flower equivalent in one sale, limit # g of flower equivalent",
      "# g of flower in one sale, limit # g of flower",
      "# mg of THC in concentrate in one sale, limit # mg of THC in concentrate",
      "# mg of THC in edibles in one sale, limit # mg of THC in edibles",
      "# mg of THC in one sale, limit # mg of THC",
      "adult-use sale with # cents of tax",
      "adult-use sale, medical use only",
      "buyer of # years, minimum # years",
      "cartridge of # g each, implausible above # g",
      "edible of # g each, implausible above # g",
      "expired on #, sale on #",
      "sale at #, hours # to #",
    ]
  `);
});

test.each([
  ["a return", "no_sale"],
  ["a day without an hour", "time_missing"],
  ["a state without rules", "no_rule"],
  ["accessories at night", "no_rule"],
  ["a patient where no rule of patients is on", "no_rule"],
  ["no date of birth", "date_of_birth_missing"],
  ["1970-01-01 is no date of birth", "date_of_birth_implausible"],
  ["adult caregiver", "may_be_a_caregiver"],
  ["a minor of unknown type", "customer_type_missing"],
  ["no lines", "products_unclear"],
  ["THC is unknown", "amounts_missing"],
])("%s is unchecked for the reason %s", (name, why) => {
  const [, state, unchecked] = saleCases.find(([each]) => each === name) ?? expect.fail();
  expect(whyUnchecked(unchecked, state, releasedRules)).toBe(why);
});

test.each(notEvaluatedCases)("%s in %s is not evaluated: case %#", (id, state, sale, why) => {
  const outcome = evaluateSale(sale, state, releasedRules).find(({ rule }) => rule.id === id);
  expect(outcome).toMatchObject({ outcome: "not_evaluated", why, text: null });
});
