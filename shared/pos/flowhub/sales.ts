import { sum, wholeCents } from "../conversions/cents.ts";
import { gramsPer, weight } from "../conversions/grams.ts";
import { paymentType } from "../conversions/paymentType.ts";
import { isCannabis, productCategory } from "../conversions/productCategory.ts";
import { returned, voided } from "../conversions/reversals.ts";
import { share } from "../conversions/share.ts";
import type { PosDeduction, PosFee, PosLineItem, PosRetailSale, PosSale } from "../posRecords.ts";
import type { Order, OrderItem } from "./answers.ts";
import { customerTypeOf } from "./customers.ts";
import { finelyInCents, inCents, type Unit } from "./orderMoney.ts";
import { productIdOf } from "./products.ts";

/** What becomes of an order: `canceled` undoes a sale that was stored before, and is none otherwise. */
export function fateOf({ orderStatus, voided, completedOn }: Order): "sale" | "void" | "canceled" | "none" {
  const status = orderStatus?.toLowerCase();
  if (voided) return "void";
  if (status === "cancelled" || status === "canceled") return "canceled";
  return status === "sold" && completedOn !== null ? "sale" : "none";
}

/**
 * @param unit of its amounts
 * @returns null for an order without any date
 */
export function saleRecord(row: Order, unit: Unit): PosSale | null {
  const date = row.completedOn ?? row.createdOn ?? row.createdAt;
  if (date === null) return null;
  const sale = saleAsRung(row, date, unit);
  if (fateOf(row) !== "sale") return voided(sale);
  return row.originalSaleId === null ? sale : returned(sale);
}

function saleAsRung(row: Order, date: string, unit: Unit): PosRetailSale {
  const amounts = totalsOf(row, unit);
  return {
    type: "retail",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal: subtotalOf(amounts),
    total_discounts: amounts.discounts === null ? null : Math.abs(amounts.discounts),
    tax_paid: amounts.taxes,
    total_paid: amounts.final,
    date,
    transaction_type: "sale",
    employee_id: row.budtenderId,
    line_items: row.itemsInCart.filter(({ voided }) => !voided).map((item) => lineItem(item, unit)),
    discounts: [],
    taxes: [],
    payments: payments(row, unit),
    fees: amounts.fees ? [feeOf(amounts.fees)] : [],
    customer: {
      pos_customer_id: row.customerId,
      type: customerTypeOf(row.customerType),
      dob: null,
      id_type: null,
      id_expiration_date: null,
    },
  };
}

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

/** The subtotal after discounts; Flowhub's was seen with them and without. */
export function subtotalOf({ final, subtotal, discounts, fees, taxes }: Totals): number | null {
  if (subtotal === null || final === null) return subtotal;
  const rest = final - sum([taxes, fees]);
  const less = Math.abs(discounts ?? 0) * (subtotal < 0 ? -1 : 1);
  const isGross = Math.abs(subtotal - rest) > 2 && Math.abs(subtotal - less - rest) <= 2;
  return isGross ? subtotal - less : subtotal;
}

function lineItem(item: OrderItem, unit: Unit): PosLineItem {
  const category = productCategory(item.category, item.type);
  return {
    pos_product_id: productIdOf(item),
    product_name: item.productName ?? item.title1,
    num_units: item.quantity,
    price_per_unit: finelyInCents(item.unitPrice, unit),
    grams: weight(item.quantity, gramsPer(item.unitOfWeight)),
    product_type: category,
    cannabis_product: isCannabis(category),
    line_item_discounts: item.itemDiscounts.map((discount) => discountOf(discount, unit)),
    line_item_taxes: item.tax.map(({ name, percentage, thisTaxInPennies }) => ({
      flat_amount: wholeCents(thisTaxInPennies),
      pct_amount: share(percentage),
      name,
    })),
    line_item_fees: [],
  };
}

function discountOf(discount: OrderItem["itemDiscounts"][number], unit: Unit): PosDeduction {
  const { name, penniesOff, dollarsOff, discountAmount, percentOff } = discount;
  const amounts = [wholeCents(penniesOff), inCents(dollarsOff, "dollars"), inCents(discountAmount, unit)];
  const flat = amounts.find((amount) => amount !== null && amount !== 0) ?? amounts.find((amount) => amount !== null);
  return {
    flat_amount: flat === undefined || flat === null ? null : Math.abs(flat),
    pct_amount: (percentOff ?? 0) > 0 ? share(percentOff) : null,
    name,
  };
}

function payments(row: Order, unit: Unit): PosSale["payments"] {
  return row.payments
    .map(({ paymentType: type, debitProvider, amount }) => ({
      type: paymentType(type, debitProvider),
      amount_paid: inCents(amount, unit) ?? 0,
    }))
    .filter(({ amount_paid }) => amount_paid !== 0);
}

function feeOf(amount: number): PosFee {
  return { fee_name: null, percent_amount: null, flat_amount: amount, included_in_subtotal: false };
}
