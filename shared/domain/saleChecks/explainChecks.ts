import type * as z from "zod";
import type { saleChecks } from "../../api/schemas/saleRule.ts";
import { evaluateSale } from "../../saleChecks/checkSale.ts";
import type { CheckedSale } from "../../saleChecks/saleRule.ts";
import { rulesVersion, saleRules } from "../../saleChecks/saleRules.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { recordList } from "../../store/keys/orderedLists.ts";
import { readRecord } from "../../store/orderedList/readPage.ts";

/**
 * What each rule says of a stored sale, computed from the sale as it is now. A wholesale sale and a sale of a state without enabled
 * rules on its day have no entries.
 *
 * @returns undefined if the CRB has no such sale
 */
export async function explainChecks(
  table: Table,
  crbId: string,
  saleId: string,
): Promise<z.input<typeof saleChecks> | undefined> {
  const [text, crb] = await Promise.all([readRecord(table, recordList(crbId, "sale"), saleId), readCrb(table, crbId)]);
  if (text === undefined || !crb) return undefined;
  const sale = JSON.parse(text) as CheckedSale & { type: "retail" | "wholesale" };
  const { state } = crb.record;
  const outcomes = sale.type === "retail" ? evaluateSale(sale, state, saleRules) : [];
  return {
    sale_id: saleId,
    state,
    date: sale.local_date.slice(0, 10),
    rules_version: rulesVersion,
    checks: outcomes.map(({ rule, outcome, why, value }) => ({
      rule_id: rule.id,
      outcome,
      why,
      limit: rule.value,
      value,
      unit: rule.unit,
      citation: rule.citation,
    })),
  };
}
