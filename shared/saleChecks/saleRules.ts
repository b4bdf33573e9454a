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

/** All rules of the release, by state, those of every state last. */
export const saleRules = [az, ca, co, fl, il, ma, mi, nj, nv, ny, or, wa, all].flat() as unknown as readonly SaleRule[];

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
