import { expect, test } from "vitest";
import {
  amountOf,
  inOrder,
  limitOf,
  rulesBrokenBy,
  type SaleCheck,
} from "../../../../../shared/web/console/app/saleChecks.ts";

const check = (rule_id: string, given: Partial<SaleCheck> = {}): SaleCheck => ({
  ...{ rule_id, outcome: "passed", why: null, limit: null, value: null, unit: null, citation: null },
  ...given,
});

test.each<[SaleCheck, string | undefined]>([
  [check("CO.adult.minimum_age", { value: 35, unit: "years" }), undefined],
  [check("all.adult.identification_expired", { value: "2027-09-22" }), undefined],
  [check("all.medical.medical_card_expired", { value: "2027-09-22" }), undefined],
  [check("CO.adult.added_later", { value: "Kim Lee" }), undefined],
  [check("CO.adult.added_later", { value: 3, unit: "relatives" }), undefined],
  [check("MI.adult.sale_concentrate", { value: 16, unit: "g_concentrate" }), "16 g of concentrate"],
  [check("CO.all.sale_hours", { value: "11:08", unit: "local_time" }), "11:08"],
  [check("all.adult.sale_without_tax", { value: 8745 }), "$87.45 of tax"],
  [check("WA.adult.free_product", { value: 2 }), "2 free lines"],
])("an amount about the customer is never shown, and one of the sale is: %j", (given, words) => {
  expect(amountOf(given)).toBe(words);
});

test("a sum of a sale with missing amounts is the least that it can be", () => {
  const given = { value: 63, unit: "g_flower_equivalent", outcome: "not_evaluated", why: "amounts_missing" } as const;
  expect(amountOf(check("CO.adult.sale_equivalent", given))).toBe("at least 63 g counted as flower");
});

test("a limit has its unit", () => {
  expect(limitOf(check("CO.adult.minimum_age", { limit: 21, unit: "years" }))).toBe("21 years");
  expect(limitOf(check("CO.all.sale_hours", { limit: "06:00-22:00", unit: "local_time" }))).toBe("06:00-22:00");
  expect(limitOf(check("all.adult.sale_without_tax"))).toBe("no number");
});

test("breaks come first and rules that do not concern the sale last", () => {
  const checks = [
    check("a", { outcome: "not_evaluated", why: "not_applicable" }),
    check("b"),
    check("c", { outcome: "not_evaluated", why: "amounts_missing" }),
    check("d", { outcome: "violated" }),
  ];
  expect(inOrder(checks).map(({ rule_id }) => rule_id)).toEqual(["d", "c", "b", "a"]);
});

test("the rules that a sale breaks are named without its texts, which can state an age", () => {
  const compliance_exceptions = ["CO.adult.minimum_age: buyer of 19 years, minimum 21 years"];
  const compliance_warnings = ["all.edible.implausible_weight: edible of 55 g each", "CO.adult.minimum_age: again"];
  const sale = { type: "retail", compliance_exceptions, compliance_warnings } as Parameters<typeof rulesBrokenBy>[0];
  expect(rulesBrokenBy(sale)).toEqual(["Minimum age", "Weight of an edible"]);
});
