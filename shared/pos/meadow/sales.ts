import { sum, wholeCents } from "../conversions/cents.ts";
import { weight } from "../conversions/grams.ts";
import { plainDay } from "../conversions/instants.ts";
import { paymentType } from "../conversions/paymentType.ts";
import { returned, voided } from "../conversions/reversals.ts";
import { share } from "../conversions/share.ts";
import { emptySaleLine, type PosDeduction, type PosLineItem, type PosRetailSale } from "../posRecords.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Discount, Line, Order, OrderReturn, Tax } from "./answers.ts";

/** By id of a kind of payment, what it is. */
export type PaymentMethods = ReadonlyMap<string, string | null>;

/** A canceled order undoes a sale that was stored before, and is none otherwise. */
export const isCanceled = ({ status }: Order) => status === "canceled";

export function saleRecords(row: Order, methods: PaymentMethods): Made<PosRetailSale> {
  if (row.status !== "fulfilled" && !isCanceled(row)) return [];
  const date = row.fulfilledAt ?? (isCanceled(row) ? row.createdAt : null);
  if (date === null) return { field: "fulfilledAt", reason: "no_instant" };
  const sale = saleAsRung(row, date, methods);
  return [isCanceled(row) ? voided(sale) : sale];
}

function saleAsRung(row: Order, date: string, methods: PaymentMethods): PosRetailSale {
  const [net, grand] = [wholeCents(row.netPrice), wholeCents(row.customerGrandTotal)];
  const tax = amountOf(row.taxes.map(({ amount }) => amount));
  // A customer's credit at the shop is taken off the price at Meadow; a promotion is a discount.
  const credit = amountOf(row.credits.filter(({ type }) => !isPromotion(type)).map(({ amountUsed }) => amountUsed));
  const promotions = row.credits.filter(({ type }) => isPromotion(type));
  const discounts = [
    ...row.discounts.map(discountOf),
    ...promotions.map(({ type, amountUsed }) => ({
      flat_amount: wholeCents(amountUsed),
      pct_amount: null,
      name: type,
    })),
  ];
  const lines = row.lineItems.map(lineItem);
  const offLines = lines.flatMap(({ line_item_discounts }) => line_item_discounts);
  const { id = null, isMedical = null, birthday = null, licenseExpiry = null, medicalExpiration = null } = row.customer;
  const [medicalEnd, licenseEnd] = [plainDay(medicalExpiration), plainDay(licenseExpiry)];
  return {
    type: "retail",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal: net === null ? null : net - tax + credit,
    total_discounts: sum([...discounts, ...offLines].map(({ flat_amount }) => flat_amount)),
    tax_paid: tax,
    total_paid: grand === null ? null : grand + credit,
    date,
    transaction_type: "sale",
    employee_id: row.fulfilledBy ?? row.placedBy,
    line_items: lines,
    discounts,
    taxes: row.taxes.map(taxOf),
    payments: [
      ...row.payments.map(({ name, paymentTypeId, amount, finalAmount }) => ({
        type: paymentType(name, methods.get(paymentTypeId ?? "") ?? null),
        amount_paid: wholeCents(finalAmount ?? amount) ?? 0,
      })),
      { type: "other" as const, amount_paid: credit },
    ].filter(({ amount_paid }) => amount_paid !== 0),
    fees: [
      feeOf("Delivery", wholeCents(row.deliveryFee) ?? 0),
      feeOf("Payment", amountOf(row.payments.map(({ feeAmount }) => feeAmount))),
    ].filter(({ flat_amount }) => flat_amount !== 0),
    customer: {
      pos_customer_id: id,
      type: isMedical === null ? null : isMedical ? "medical" : "rec",
      dob: plainDay(birthday),
      id_type: isMedical && medicalEnd ? "medical" : licenseEnd ? "drivers" : null,
      id_expiration_date: (isMedical && medicalEnd) || licenseEnd,
    },
  };
}

/** A return, which tells what was paid back, but of its lines no more than how many. */
export function returnRecords(row: OrderReturn): Made<PosRetailSale> {
  if (row.createdAt === null) return { field: "createdAt", reason: "no_instant" };
  const total = wholeCents(row.refundTotal);
  const tax = amountOf(row.taxes.map(({ amount }) => amount));
  const type = row.refundType === "store-credit" ? ("other" as const) : paymentType(row.paymentTypeName);
  const isPaidOut = row.refundType !== "none" && total !== null && total !== 0;
  const sale: PosRetailSale = {
    type: "retail",
    pos_sale_id: `return-${row.id}`,
    subtotal: total === null ? null : total - tax,
    total_discounts: 0,
    tax_paid: tax,
    total_paid: total,
    date: row.createdAt,
    transaction_type: "return",
    employee_id: null,
    line_items: row.lineItems.map(({ quantity }) => ({ ...emptySaleLine, num_units: quantity })),
    discounts: [],
    taxes: row.taxes.map(taxOf),
    payments: isPaidOut ? [{ type, amount_paid: total }] : [],
    fees: [],
    customer: { pos_customer_id: null, type: null, dob: null, id_type: null, id_expiration_date: null },
  };
  return [row.voidedAt === null ? returned(sale) : voided(sale)];
}

function lineItem(line: Line): PosLineItem {
  return {
    ...emptySaleLine,
    pos_product_id: line.optionId,
    product_name: line.productName,
    num_units: line.quantity,
    price_per_unit: line.unitPrice === null ? null : Number(line.unitPrice),
    grams: line.productUnit === "gram" ? weight(line.quantity, line.optionAmount) : null,
    line_item_discounts: line.discounts.map(discountOf),
  };
}

function discountOf({ name, type, amount, amountUsed }: Discount): PosDeduction {
  return { flat_amount: wholeCents(amountUsed), pct_amount: type === "percent" ? share(amount) : null, name };
}

function taxOf({ description, rate, amount }: Tax): PosDeduction {
  return { flat_amount: wholeCents(amount), pct_amount: share(rate), name: description };
}

const isPromotion = (type: string | null) => type === "promo-code";
const amountOf = (amounts: readonly (string | null)[]) => sum(amounts.map(wholeCents));
const feeOf = (fee_name: string, flat_amount: number) => ({
  fee_name,
  percent_amount: null,
  flat_amount,
  included_in_subtotal: false,
});
