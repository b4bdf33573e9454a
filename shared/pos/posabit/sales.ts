import { fine, sum } from "../conversions/cents.ts";
import { grams, weight } from "../conversions/grams.ts";
import { utcInstant } from "../conversions/instants.ts";
import { paymentType } from "../conversions/paymentType.ts";
import { productCategory } from "../conversions/productCategory.ts";
import { returned, voided } from "../conversions/reversals.ts";
import type { PosDeduction, PosLineItem, PosRetailSale } from "../posRecords.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Item, Sale } from "./answers.ts";
import { type LineMoney, moneyOf, type SaleMoney } from "./saleMoney.ts";

/** Whether words hold one of these; which words there are is not known. */
function holds(words: readonly (string | null)[], ...parts: readonly string[]): boolean {
  const told = words.join(" ").toLowerCase();
  return parts.some((part) => told.includes(part));
}

const wordsOf = ({ status, sale_type }: Sale) => [status, sale_type];

/** What undoes a sale that was stored before, and is none otherwise: it was canceled, or has no date of a sale any more. */
export const isUndone = (row: Sale) =>
  holds(wordsOf(row), "cancel") || (holds(wordsOf(row), "void") && row.ordered_at === null);

/** A row without a date of its order is no sale yet. */
export function saleRecords(row: Sale): Made<PosRetailSale> {
  const date = utcInstant(row.ordered_at) ?? (isUndone(row) ? row.updated_at : null);
  if (date === null) return row.ordered_at === null ? [] : { field: "ordered_at", reason: "no_instant" };
  const isUndoing = holds(wordsOf(row), "cancel", "void");
  const isCalledReturn = holds(wordsOf(row), "return", "refund");
  // Its amounts may be those of the sale, or of what came back.
  if ((isUndoing || isCalledReturn) && holds(wordsOf(row), "partial")) {
    return { field: "status", reason: isUndoing ? "unclear_void" : "unclear_return" };
  }
  if (isUndoing) return [voided(saleOf(row, date, nothing))];
  const isReturn = Number(row.total) < 0 || holds([row.sale_type], "return", "refund");
  // It may be the sale itself, of which another row tells the return.
  if (isCalledReturn && !isReturn) return { field: "status", reason: "unclear_return" };
  observeGuess("a sale's status and type", isReturn ? "a return" : "a sale");
  const money = moneyOf(row, isReturn);
  if ("reason" in money) return money;
  const sale = saleOf(row, date, money);
  return [isReturn ? returned(sale) : sale];
}

const nothing: SaleMoney = { subtotal: 0, tax: 0, total: 0, lines: [], beyond: 0 };

function saleOf(row: Sale, date: string, { subtotal, tax, total, lines, beyond }: SaleMoney): PosRetailSale {
  // Lines carry theirs; of the whole sale is what is left.
  const restOfTax = (tax ?? 0) - sum(lines.map((line) => line.tax));
  return {
    type: "retail",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal,
    total_discounts: beyond + sum(lines.map(({ off }) => off)),
    tax_paid: tax,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: row.user_id,
    line_items: lines.map(lineItem),
    discounts: deductions(beyond, null),
    taxes: deductions(Math.max(0, restOfTax), null),
    payments: row.sales_tenders.flatMap(({ payment_method_name, total }) => {
      const amount_paid = Number(total ?? 0);
      return amount_paid === 0 ? [] : [{ type: paymentType(payment_method_name), amount_paid }];
    }),
    fees: [],
    customer: {
      pos_customer_id: row.customer_id,
      type: row.is_medical === null ? null : row.is_medical ? "medical" : "rec",
      dob: null,
      id_type: null,
      id_expiration_date: null,
    },
  };
}

function lineItem({ item, gross, off, tax }: LineMoney): PosLineItem {
  const { quantity } = item;
  const coupons = item.discount_list.flatMap(({ coupon_name }) => coupon_name ?? []);
  return {
    pos_product_id: item.product_id,
    product_name: item.product_name,
    num_units: quantity,
    price_per_unit: gross !== null && quantity ? fine(gross / quantity) : null,
    grams: gramsOf(item),
    product_type: productCategory(item.category),
    cannabis_product: item.is_marijuana,
    line_item_discounts: deductions(off, coupons.join(", ") || null),
    line_item_taxes: deductions(tax ?? 0, null),
    line_item_fees: [],
  };
}

function deductions(flat_amount: number, name: string | null): PosDeduction[] {
  return flat_amount === 0 ? [] : [{ flat_amount, pct_amount: null, name }];
}

/**
 * The weight of a line. Whether `weight_in_grams` is that of the line or of one unit is told by what one unit weighs; null
 * where it is not told, so that the product's weight counts.
 */
function gramsOf({ quantity, weight_in_grams, unit_weight, unit_of_weight }: Item): number | null {
  const told = Math.abs(weight_in_grams ?? 0);
  if (quantity === null || Math.abs(quantity) === 1) return weight(quantity, told);
  const ofUnit = grams(unit_weight, unit_of_weight) ?? 0;
  const fits = [ofUnit, ofUnit * Math.abs(quantity)].some((way) => Math.abs(way - told) < 0.01);
  return fits ? weight(quantity, ofUnit) : null;
}
