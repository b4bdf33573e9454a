import { sum } from "../../../money/sums.ts";
import { fromLocalTime } from "../../../time/localTime.ts";
import { fine } from "../../framework/conversions/cents.ts";
import { gramsPer, isDose, netWeight, weight } from "../../framework/conversions/grams.ts";
import { statesZone, utcInstant, wallClock } from "../../framework/conversions/instants.ts";
import { addNamedCharges } from "../../framework/conversions/namedCharges.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
} from "../../posRecords.ts";
import type { Item, Sale } from "./responses.ts";
import { type LineMoney, moneyOf, type SaleMoney } from "./saleMoney.ts";

/** The meaning of a status or type. POSaBIT documents only statuses of online orders, such as `STS Failed`. */
const stateOf = statusFinder({
  sale: "Completed, Delivered, Complete, Paid, Closed",
  open: "Pending, Change, Processing, En Route, STS Failed, Open",
  canceled: "Canceled, Cancelled, Cancel",
  void: "Void, Voided",
  returned: "Return, Returned, Refund, Refunded",
});

/** Types of sales are undocumented. A sale of an unknown type is rejected only if its type contains one of these words. */
const reversal = /cancel|void|return|refund/i;

/** Whether a row is canceled, or voided without an order date. Such a row only voids its stored sale. */
export function isUndone({ status, sale_type, ordered_at }: Sale): boolean {
  const states = [stateOf(status), stateOf(sale_type)];
  return states.includes("canceled") || (states.includes("void") && ordered_at === null);
}

/**
 * The sale of a row. A row with neither a status nor an order date is not a sale yet, so it has no records.
 *
 * @param timezone of the venue, IANA name
 */
export function saleRecords(row: Sale, timezone: string): RecordsOrRejection<PosRetailSale> {
  const [status, type] = [stateOf(row.status), stateOf(row.sale_type)];
  if (row.status !== null && status === null) return { field: "status", reason: "unknown_status" };
  if (type === null && reversal.test(row.sale_type ?? "")) return { field: "sale_type", reason: "unknown_status" };
  if (status === "open") return [];
  const date = orderedAt(row, timezone) ?? (isUndone(row) ? row.updated_at : null);
  if (date === null) {
    const isNone = row.ordered_at === null && (row.status === null || isUndone(row));
    return isNone ? [] : { field: "ordered_at", reason: "no_instant" };
  }
  const states = [status, type];
  if (states.includes("canceled") || states.includes("void")) return [voided(saleOf(row, date, nothing))];
  const isReturn = Number(row.total) < 0 || type === "returned";
  // The row may be the original sale, whose return is another row.
  if (status === "returned" && !isReturn) return { field: "status", reason: "unclear_return" };
  observeGuess("record of a sales history", isReturn ? "return" : "sale");
  const money = moneyOf(row, isReturn);
  if ("reason" in money) return money;
  const rung = saleOf(row, date, money);
  const sale = isReturn ? returned(rung) : rung;
  return [addNamedCharges(sale, [{ fee_name: "Payment", amount: paymentFee(row) }])];
}

/** The part of the payments that exceeds their subtotals, such as the fee of a cashless ATM. */
function paymentFee({ sales_tenders }: Sale): number {
  return sum(
    sales_tenders.map(({ subtotal, total }) =>
      subtotal === null || total === null ? null : Number(total) - Number(subtotal),
    ),
  );
}

/** POSaBIT writes `ordered_at` in UTC. If it has no time zone and equals `ordered_at_local`, it is read as local time. */
function orderedAt({ ordered_at, ordered_at_local }: Sale, timezone: string): string | null {
  const wall = wallClock(ordered_at);
  const isLocal = wall !== null && !statesZone(ordered_at) && wall === wallClock(ordered_at_local);
  return isLocal ? fromLocalTime(wall, timezone) : utcInstant(ordered_at);
}

const nothing: SaleMoney = { subtotal: 0, tax: 0, total: 0, lines: [], ownDiscount: 0 };

function saleOf(row: Sale, date: string, { subtotal, tax, total, lines, ownDiscount }: SaleMoney): PosRetailSale {
  // Lines have their own tax. The remaining tax belongs to the whole sale.
  const restOfTax = (tax ?? 0) - sum(lines.map((line) => line.tax));
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.id,
    subtotal,
    total_discounts: ownDiscount + sum(lines.map(({ discount }) => discount)),
    tax_paid: tax,
    total_paid: total,
    date,
    employee_id: row.user_id,
    line_items: lines.map(lineItem),
    discounts: deductions(ownDiscount, null),
    taxes: deductions(Math.max(0, restOfTax), null),
    payments: row.sales_tenders.flatMap(({ payment_method_name, total }) => {
      const amount_paid = total === null ? null : Number(total);
      return amount_paid === 0 ? [] : [namedPayment(amount_paid, payment_method_name)];
    }),
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
    ...emptySaleLine,
    pos_product_id: item.product_id,
    product_name: item.product_name,
    num_units: quantity,
    price_per_unit: gross !== null && quantity ? fine(gross / quantity) : null,
    grams: gramsOf(item),
    product_type: productCategory(item.category),
    cannabis_product: item.is_marijuana,
    line_item_discounts: deductions(discount, coupons.join(", ") || null),
    line_item_taxes: deductions(tax ?? 0, null),
  };
}

function deductions(flat_amount: number, name: string | null): PosDeduction[] {
  return flat_amount === 0 ? [] : [{ flat_amount, pct_amount: null, name }];
}

/**
 * The weight of a line in grams. The stated weight of one unit shows whether `weight_in_grams` is the weight of the
 * line or of one unit. Returns null if the stated weight does not show this, or is a dose; the sale line then gets the
 * weight from its product.
 */
function gramsOf({ quantity, weight_in_grams, unit_weight, unit_of_weight, category: name }: Item): number | null {
  const category = productCategory(name);
  if (isDose(gramsPer(unit_of_weight), category)) return null;
  const stated = Math.abs(weight_in_grams ?? 0);
  if (quantity === null || Math.abs(quantity) === 1) return weight(quantity, stated);
  const ofUnit = netWeight(unit_weight, unit_of_weight, category) ?? 0;
  const fits = [ofUnit, ofUnit * Math.abs(quantity)].some((way) => Math.abs(way - stated) < 0.01);
  return fits ? weight(quantity, ofUnit) : null;
}
