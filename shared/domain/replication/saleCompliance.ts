import { checkSale } from "../../saleChecks/checkSale.ts";
import type { CheckedSale } from "../../saleChecks/saleRule.ts";
import { saleRules } from "../../saleChecks/saleRules.ts";
import type { DerivedFields } from "../../store/orderedList/recordWriter.ts";

/**
 * The compliance fields of sales (docs/spec.md#sale-checks). A wholesale sale has none.
 *
 * @param state two-letter code of the business
 */
export const saleCompliance = (state: string): DerivedFields => ({
  names: ["compliance_status", "compliance_exceptions", "compliance_warnings"],
  compute: (content, created) =>
    content.type === "retail"
      ? { ...checkSale({ ...(content as unknown as CheckedSale), svc_created_date: created }, state, saleRules) }
      : {},
});
