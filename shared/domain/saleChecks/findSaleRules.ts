import type * as z from "zod";
import type { saleRulesQuery } from "../../api/parameters.ts";
import { rulesOn, saleRules } from "../../saleChecks/saleRules.ts";

/**
 * A page of the rules of this stage, as JSON texts.
 *
 * @param query.state only the rules of this state, and those of every state
 * @param query.date only the rules that hold on this local day
 */
export function findSaleRules({ state, date, offset, limit }: z.output<typeof saleRulesQuery>) {
  const found = saleRules.filter(
    (rule) =>
      (state === undefined || (rule.state ?? state) === state) &&
      (!date || rulesOn([rule], rule.state ?? "", date).length > 0),
  );
  return { total: found.length, records: found.slice(offset, offset + limit).map((rule) => JSON.stringify(rule)) };
}
