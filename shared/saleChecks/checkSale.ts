import { checks, type Finding } from "./checks.ts";
import type { CheckedSale, SaleRule } from "./saleRule.ts";
import { rulesOn } from "./saleRules.ts";

/** What a rule says of a sale. */
export interface Outcome extends Finding {
  rule: SaleRule;
}

/** The compliance fields of a retail sale (docs/spec.md#sales). */
export interface Compliance {
  compliance_status: "unchecked" | "svc_checked" | "warning" | "red_flag";
  compliance_exceptions: string[] | null;
  compliance_warnings: string[] | null;
}

const unchecked: Compliance = {
  compliance_status: "unchecked",
  compliance_exceptions: null,
  compliance_warnings: null,
};

/** Only these checks can make a sale `svc_checked`: the others are about unusual data, or prove nothing if they pass. */
const decidingChecks = ["minimum_age", "transaction_limit", "daily_limit", "adult_use_not_permitted"];

/**
 * The compliance fields of a sale, by the rules of its state on its local day.
 *
 * @param state two-letter code of the business
 * @returns `unchecked` for a return, an adjustment, a time without an hour, a state without enabled rules on that day, and a sale
 * that lacks what a rule needs and breaks none
 */
export function checkSale(sale: CheckedSale, state: string, rules: readonly SaleRule[]): Compliance {
  const outcomes = evaluateSale(sale, state, rules);
  const textsOf = (severity: SaleRule["severity"]) =>
    outcomes
      .filter(({ rule, outcome }) => outcome === "violated" && rule.severity === severity)
      .map(({ rule, text }) => `${rule.id}: ${text}`);
  const compliance_exceptions = textsOf("exception");
  const compliance_warnings = textsOf("warning");
  const found = { compliance_exceptions, compliance_warnings };
  if (compliance_exceptions.length > 0) return { compliance_status: "red_flag", ...found };
  if (compliance_warnings.length > 0) return { compliance_status: "warning", ...found };
  const deciding = decidingOutcomes(outcomes);
  const isChecked = deciding.some(({ outcome }) => outcome === "passed") && deciding.every(({ why }) => why === null);
  return isChecked ? { compliance_status: "svc_checked", ...found } : unchecked;
}

const decidingOutcomes = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ rule, why }) => decidingChecks.includes(rule.check) && why !== "not_applicable");

/**
 * Why a sale is `unchecked`: the `why` of the first deciding rule that was not evaluated, or `no_rule` if none applies to it.
 *
 * @param sale an unchecked sale
 */
export function whyUnchecked(sale: CheckedSale, state: string, rules: readonly SaleRule[]): string {
  const deciding = decidingOutcomes(evaluateSale(sale, state, rules));
  return whyNotChecked(sale) ?? deciding.find(({ why }) => why !== null)?.why ?? "no_rule";
}

/**
 * What each enabled rule of the sale's state and day says of it, in the order of the rules.
 *
 * @returns an empty list if the state has no enabled rule on that day; all `not_evaluated` for a sale that is not checked at all
 */
export function evaluateSale(sale: CheckedSale, state: string, rules: readonly SaleRule[]): Outcome[] {
  const day = sale.local_date.slice(0, 10);
  const inForce = rulesOn(rules, state, day).filter(({ enabled }) => enabled);
  if (!inForce.some((rule) => rule.state === state)) return [];
  const why = whyNotChecked(sale);
  const ageMayBeMissing = inForce.some(({ check, applies_to }) => check === "identification" && applies_to === "adult");
  return inForce.flatMap((rule) => {
    const check = checks[rule.check];
    if (check === undefined) return [];
    if (why !== null) return [{ rule, outcome: "not_evaluated" as const, why, value: null, text: null }];
    const finding = check(sale, rule);
    // The law of the state requires no record of a person, so nothing is missing.
    const isLawful = ageMayBeMissing && rule.applies_to === "adult" && finding.why === "date_of_birth_missing";
    return [{ rule, ...finding, why: isLawful ? "not_applicable" : finding.why }];
  });
}

/** Why a sale is not checked at all; null if it is. */
function whyNotChecked({ transaction_type, local_date }: CheckedSale): string | null {
  if (transaction_type !== "sale") return "no_sale";
  // Uploaded files may state days without times.
  return local_date.slice(11) === "00:00:00.000" ? "time_missing" : null;
}
