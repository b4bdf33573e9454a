import { fromLocalTime } from "../../time/localTime.ts";
import { fine, sum } from "../conversions/cents.ts";
import { grams, weight } from "../conversions/grams.ts";
import { statesZone, utcInstant, wallClock } from "../conversions/instants.ts";
import { paymentType } from "../conversions/paymentType.ts";
import { productCategory } from "../conversions/productCategory.ts";
import { returned, voided } from "../conversions/reversals.ts";
import { emptySaleCustomer, type PosDeduction, type PosLineItem, type PosRetailSale } from "../posRecords.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Item, Sale } from "./answers.ts";
import { type LineMoney, moneyOf, type SaleMoney } from "./saleMoney.ts";

/** What a word of a status or type means for a sale. */
type Meaning = "sold" | "open" | "canceled" | "void" | "returned" | "partial";

/** POSaBIT documents the statuses of online orders (`En Route`, `STS Failed`), and none of sales. */
const words = new Map<string, Meaning>([
  ...meaning("sold", "complete", "completed", "delivered", "paid", "closed"),
  ...meaning("open", "pending", "change", "processing", "en", "route", "sts", "failed", "open"),
  ...meaning("canceled", "cancel", "canceled", "cancelled"),
  ...meaning("void", "void", "voided"),
  ...meaning("returned", "return", "returned", "refund", "refunded"),
  ...meaning("partial", "partial", "partially"),
]);

function meaning(of: Meaning, ...found: readonly string[]): (readonly [string, Meaning])[] {
  return found.map((word) => [word, of]);
}

/** What the words of a text mean, in any letter case; undefined is among them for an unknown word. */
function meaningsOf(text: string | null): ReadonlySet<Meaning | undefined> {
  if (text === null) return new Set();
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [""];
  return new Set(found.map((word) => words.get(word)));
}

/** Whether a status is unknown, or contradicts itself. A sale without a status is neither. */
function isUnknown(meanings: ReadonlySet<Meaning | undefined>): boolean {
  const isReversed = (["canceled", "void", "returned"] as const).some((one) => meanings.has(one));
  const states = [meanings.has("sold"), meanings.has("open"), isReversed].filter(Boolean);
  return meanings.size > 0 && (meanings.has(undefined) || states.length !== 1);
}

/** What undoes a sale that was stored before, and is none otherwise: it was canceled, or has no date of a sale any more. */
export function isUndone({ status, sale_type, ordered_at }: Sale): boolean {
  const meanings = meaningsOf(status).union(meaningsOf(sale_type));
  return meanings.has("canceled") || (meanings.has("void") && ordered_at === null);
}

/**
 * A row without a status and a date of its order is not a sale yet.
 *
 * @param timezone of the venue, IANA name
 */
export function saleRecords(row: Sale, timezone: string): Made<PosRetailSale> {
  const [status, type] = [meaningsOf(row.status), meaningsOf(row.sale_type)];
  if (isUnknown(status)) return { field: "status", reason: "unknown_status" };
  if (status.has("open")) return [];
  const date = orderedAt(row, timezone) ?? (isUndone(row) ? row.updated_at : null);
  if (date === null) {
    const isNone = row.ordered_at === null && (row.status === null || isUndone(row));
    return isNone ? [] : { field: "ordered_at", reason: "no_instant" };
  }
  const all = status.union(type);
  const isUndoing = all.has("canceled") || all.has("void");
  const isCalledReturn = all.has("returned");
  // Its amounts may be those of the sale, or of what came back.
  if ((isUndoing || isCalledReturn) && all.has("partial")) {
    return { field: "status", reason: isUndoing ? "unclear_void" : "unclear_return" };
  }
  if (isUndoing) return [voided(saleOf(row, date, nothing))];
  const isReturn = Number(row.total) < 0 || type.has("returned");
  // It may be the sale itself, with the return in another row.
  if (isCalledReturn && !isReturn) return { field: "status", reason: "unclear_return" };
  observeGuess("record of a sales history", isReturn ? "return" : "sale");
  const money = moneyOf(row, isReturn);
  if ("reason" in money) return money;
  const sale = saleOf(row, date, money);
  return [isReturn ? returned(sale) : sale];
}

/** POSaBIT writes `ordered_at` in UTC. Without a zone, and equal to the local time beside it, it is local time. */
function orderedAt({ ordered_at, ordered_at_local }: Sale, timezone: string): string | null {
  const wall = wallClock(ordered_at);
  const isLocal = wall !== null && !statesZone(ordered_at) && wall === wallClock(ordered_at_local);
  return isLocal ? fromLocalTime(wall, timezone) : utcInstant(ordered_at);
}

const nothing: SaleMoney = { subtotal: 0, tax: 0, total: 0, lines: [], ownDiscount: 0 };

function saleOf(row: Sale, date: string, { subtotal, tax, total, lines, ownDiscount }: SaleMoney): PosRetailSale {
  // Lines carry theirs; the rest belongs to the whole sale.
  const restOfTax = (tax ?? 0) - sum(lines.map((line) => line.tax));
  return {
    type: "retail",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal,
    total_discounts: ownDiscount + sum(lines.map(({ discount }) => discount)),
    tax_paid: tax,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: row.user_id,
    line_items: lines.map(lineItem),
    discounts: deductions(ownDiscount, null),
    taxes: deductions(Math.max(0, restOfTax), null),
    payments: row.sales_tenders.flatMap(({ payment_method_name, total }) => {
      const amount_paid = Number(total ?? 0);
      return amount_paid === 0 ? [] : [{ type: paymentType(payment_method_name), amount_paid }];
    }),
    fees: [],
    customer: {
      ...emptySaleCustomer,
      pos_customer_id: row.customer_id,
      type: row.is_medical === null ? null : row.is_medical ? "medical" : "rec",
    },
  };
}

function lineItem({ item, gross, discount, tax }: LineMoney): PosLineItem {
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
    line_item_discounts: deductions(discount, coupons.join(", ") || null),
    line_item_taxes: deductions(tax ?? 0, null),
    line_item_fees: [],
  };
}

function deductions(flat_amount: number, name: string | null): PosDeduction[] {
  return flat_amount === 0 ? [] : [{ flat_amount, pct_amount: null, name }];
}

/**
 * The weight of a line. The weight of one unit decides whether `weight_in_grams` is that of the line or of a unit. Null
 * where it does not, so that the product's weight counts.
 */
function gramsOf({ quantity, weight_in_grams, unit_weight, unit_of_weight }: Item): number | null {
  const told = Math.abs(weight_in_grams ?? 0);
  if (quantity === null || Math.abs(quantity) === 1) return weight(quantity, told);
  const ofUnit = grams(unit_weight, unit_of_weight) ?? 0;
  const fits = [ofUnit, ofUnit * Math.abs(quantity)].some((way) => Math.abs(way - told) < 0.01);
  return fits ? weight(quantity, ofUnit) : null;
}
