import { createHash } from "node:crypto";
import all from "./rules/all.json" with { type: "json" };
import az from "./rules/az.json" with { type: "json" };
import ca from "./rules/ca.json" with { type: "json" };
import co from "./rules/co.json" with { type: "json" };
import fl from "./rules/fl.json" with { type: "json" };
import il from "./rules/il.json" with { type: "json" };
import ma from "./rules/ma.json" with { type: "json" };
import mi from "./rules/mi.json" with { type: "json" };
import nj from "./rules/nj.json" with { type: "json" };
import nv from "./rules/nv.json" with { type: "json" };
import ny from "./rules/ny.json" with { type: "json" };
import or from "./rules/or.json" with { type: "json" };
import wa from "./rules/wa.json" with { type: "json" };
import type { SaleRule } from "./saleRule.ts";
import stageRules from "./stageRules.json" with { type: "json" };

/** The rules of the release, by state, those of every state last. */
export const releasedRules = [az, ca, co, fl, il, ma, mi, nj, nv, ny, or, wa, all].flat() as unknown as SaleRule[];

/** What a stage changes (docs/operations/sale-rules.md): ids of rules that it switches off, and rules of its own. */
export interface StageRules {
  disable: readonly string[];
  rules: readonly SaleRule[];
}

/** The rules with what the stage changes. An own rule replaces the rule of the same id. */
export function withStageRules(rules: readonly SaleRule[], { disable, rules: own }: StageRules): SaleRule[] {
  const replaced = new Set(own.map(({ id }) => id));
  return [...rules.filter(({ id }) => !replaced.has(id)), ...own].map((rule) =>
    disable.includes(rule.id) ? { ...rule, enabled: false, why_not: "switched off on this stage" } : rule,
  );
}

/** The rules of this stage. The bundle of a function has the stage's file in place of the empty one. */
export const saleRules: readonly SaleRule[] = withStageRules(releasedRules, stageRules as unknown as StageRules);

/** The fields of a rule that decide what a sale is found to be. The functions that check sales have no others. */
export const decidingFields = [
  "id",
  "state",
  "check",
  "applies_to",
  "value",
  "unit",
  "tolerance",
  "equivalence",
  "not_limited",
  "from",
  "to",
  "severity",
  "enabled",
] as const satisfies readonly (keyof SaleRule)[];

/** Changes when a finding can change: 12 hexadecimal digits of SHA-256 over the enabled rules. */
export const rulesVersion: string = createHash("sha256")
  .update(
    JSON.stringify(saleRules.filter(({ enabled }) => enabled).map((rule) => decidingFields.map((name) => rule[name]))),
  )
  .digest("hex")
  .slice(0, 12);

/**
 * The rules of a state on a day, and those of every state.
 *
 * @param state two-letter code
 * @param day local day, yyyy-MM-dd
 */
export function rulesOn(rules: readonly SaleRule[], state: string, day: string): SaleRule[] {
  return rules.filter(
    (rule) => (rule.state ?? state) === state && rule.from <= day && (rule.to === null || day <= rule.to),
  );
}
