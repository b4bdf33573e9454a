import { sum } from "../../../money/sums.ts";
import type { Rejection } from "../../connector.ts";
import { wholeCents } from "../../framework/conversions/cents.ts";
import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { netGramsPer, weight } from "../../framework/conversions/grams.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
  posFee,
} from "../../posRecords.ts";
import { finelyInCents, inCents, type Unit } from "./orderMoney.ts";
import { productIdOf } from "./products.ts";
import type { Order, OrderItem } from "./responses.ts";

/** What an order's status means. `open` is not yet a sale; `canceled` voids a stored sale. */
type Fate = "sale" | "void" | "canceled" | "open" | "unknown";

/** By `orderStatus` in lower case. Flowhub documents all but `voided`, for which known clients look. */
const fates: ReadonlyMap<string, Fate> = new Map([
  ["sold", "sale"],
  ["pending", "open"],
  ["cancelled", "canceled"],
  ["canceled", "canceled"],
  ["voided", "void"],
]);

/** The flag `voided` has precedence over the status, because a voided order may keep the status `sold`. */
export function classifyOrder({ orderStatus, voided }: Pick<Order, "orderStatus" | "voided">): Fate {
  return voided ? "void" : (fates.get(orderStatus?.toLowerCase() ?? "") ?? "unknown");
}

/** @param unit of the amounts; ignored if the order was voided or canceled */
export function saleRecord(row: Order, unit: Unit): PosSale | Rejection {
  const date = row.completedOn ?? row.createdOn ?? row.createdAt;
  if (date === null) return { field: "completedOn", reason: "no_instant" };
  const amounts = totalsOf(row, unit);
  if (classifyOrder(row) !== "sale") return voided(saleAsRung(row, date, unit, { ...amounts, subtotal: null }));
  const subtotal = subtotalOf(amounts);
  if (subtotal === "unclear") return { field: "totals", reason: "unclear_discount" };
  const sale = saleAsRung(row, date, unit, { ...amounts, subtotal });
  return row.originalSaleId === null ? sale : returned(sale);
}

function saleAsRung(row: Order, date: string, unit: Unit, amounts: Totals): PosRetailSale {
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.id,
    subtotal: amounts.subtotal,
    total_discounts: amounts.discounts === null ? null : Math.abs(amounts.discounts),
    tax_paid: amounts.taxes,
    total_paid: amounts.final,
    date,
    employee_id: row.budtenderId,
    line_items: row.itemsInCart.filter(({ voided }) => !voided).map((item) => lineItem(item, unit)),
    payments: payments(row, unit),
    fees: amounts.fees ? [posFee(null, amounts.fees)] : [],
    customer: { ...emptySaleCustomer, pos_customer_id: row.customerId, type: customerTypeOf(row.customerType) },
  };
}

/** Amounts of an order, in cents. */
interface Totals {
  final: number | null;
  subtotal: number | null;
  discounts: number | null;
  fees: number | null;
  taxes: number | null;
}

function totalsOf({ totals }: Order, unit: Unit): Totals {
  return {
    final: inCents(totals.finaltotal, unit),
    subtotal: inCents(totals.subtotal, unit),
    discounts: inCents(totals.totaldiscounts, unit),
    fees: inCents(totals.totalfees, unit),
    taxes: inCents(totals.totaltaxes, unit),
  };
}

/**
 * The subtotal after discounts. Flowhub's subtotal was observed both before and after discounts. Both interpretations
 * are tried, and the interpretation that adds up to the total is used.
 *
 * @returns "unclear" if neither interpretation adds up
 */
export function subtotalOf({ final, subtotal, discounts, fees, taxes }: Totals): number | null | "unclear" {
  const off = Math.abs(discounts ?? 0);
  if (subtotal === null || off === 0) return subtotal;
  const less = subtotal < 0 ? -off : off;
  const readings = [{ total: subtotal }, { total: subtotal - less }];
  return chooseReading(readings, final === null ? null : final - sum([taxes, fees]))?.total ?? "unclear";
}

function lineItem(item: OrderItem, unit: Unit): PosLineItem {
  const categories = [item.category, item.type];
  const category = productCategory(...categories);
  return {
    ...emptySaleLine,
    pos_product_id: productIdOf(item),
    product_name: item.productName ?? item.title1,
    num_units: item.quantity,
    price_per_unit: finelyInCents(item.unitPrice, unit),
    grams: weight(item.quantity, netGramsPer(item.unitOfWeight, category)),
    product_type: category,
    cannabis_product: cannabisOf(categories),
    line_item_discounts: item.itemDiscounts.map((discount) => discountOf(discount, unit)),
    line_item_taxes: item.tax.map(({ name, percentage, thisTaxInPennies }) => ({
      flat_amount: wholeCents(thisTaxInPennies),
      pct_amount: share(percentage),
      name,
    })),
  };
}

function discountOf(discount: OrderItem["itemDiscounts"][number], unit: Unit): PosDeduction {
  const { name, couponCode, penniesOff, dollarsOff, discountAmount, percentOff } = discount;
  const amounts = [wholeCents(penniesOff), inCents(dollarsOff, "dollars"), inCents(discountAmount, unit)];
  const flat = amounts.find((amount) => amount !== null && amount !== 0) ?? amounts.find((amount) => amount !== null);
  return {
    flat_amount: flat === undefined || flat === null ? null : Math.abs(flat),
    pct_amount: (percentOff ?? 0) > 0 ? share(percentOff) : null,
    name: name ?? couponCode,
  };
}

function payments(row: Order, unit: Unit): PosSale["payments"] {
  return row.payments
    .map(({ paymentType, debitProvider, amount }) => namedPayment(inCents(amount, unit), paymentType, debitProvider))
    .filter(({ amount_paid }) => amount_paid !== 0);
}
