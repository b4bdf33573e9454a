import { knownSum, sum } from "../../../money/sums.ts";
import { wholeCents } from "../../framework/conversions/cents.ts";
import { weight } from "../../framework/conversions/grams.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { chooseReading, subtract } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosFee,
  type PosLineItem,
  type PosPayment,
  type PosRetailSale,
  posFee,
} from "../../posRecords.ts";
import type { Discount, Line, Order, OrderReturn, Tax } from "./responses.ts";

/** Whether payments are cash, debit or something else, by the id of their payment type. */
export type PaymentMethods = ReadonlyMap<string, string | null>;

const stateOf = statusFinder({ sale: "fulfilled", open: "draft, new, packed", canceled: "canceled" });

/** Whether an order is canceled. Such an order voids its stored sale, and is dropped if no sale is stored. */
export const isCanceled = ({ status }: Order) => stateOf(status) === "canceled";

export function saleRecords(row: Order, methods: PaymentMethods): RecordsOrRejection<PosRetailSale> {
  const state = stateOf(row.status);
  if (state === null) return { field: "status", reason: "unknown_status" };
  if (state === "open") return [];
  const isUndone = isCanceled(row);
  const date = row.fulfilledAt ?? (isUndone ? row.createdAt : null);
  if (date === null) return { field: "fulfilledAt", reason: "no_instant" };
  if (isUndone) return [voided(saleAsRung(row, date, methods, []))];
  const fees = feesOf(row);
  return fees ? [saleAsRung(row, date, methods, fees)] : { field: "customerGrandTotal", reason: "unclear_fees" };
}

function saleAsRung(row: Order, date: string, methods: PaymentMethods, fees: PosFee[]): PosRetailSale {
  const [net, grand] = [wholeCents(row.netPrice), wholeCents(row.customerGrandTotal)];
  const tax = row.taxes && amountOf(row.taxes.map(({ amount }) => amount));
  // Meadow subtracts credits from the net price. In the record, store credit is a payment, and a promotion is a
  // discount.
  const credits = row.credits?.filter(({ type }) => !isPromotion(type)) ?? null;
  const credit = credits && amountOf(credits.map(({ amountUsed }) => amountUsed));
  const promotions = row.credits?.filter(({ type }) => isPromotion(type)) ?? [];
  const discounts = [
    ...row.discounts.map(discountOf),
    ...promotions.map(({ type, description, amountUsed }) => ({
      flat_amount: wholeCents(amountUsed),
      pct_amount: null,
      name: description ?? type,
    })),
  ];
  const lines = row.lineItems.map(lineItem);
  const offLines = lines.flatMap(({ line_item_discounts }) => line_item_discounts);
  const { id = null, birthday = null, licenseExpiry = null, medicalExpiration = null } = row.customer;
  const { isMedical } = row;
  const [medicalEnd, licenseEnd] = [plainDay(medicalExpiration), plainDay(licenseExpiry)];
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.id,
    subtotal: knownSum([subtract(net, [tax]), credit]),
    total_discounts: row.credits && knownSum([...discounts, ...offLines].map(({ flat_amount }) => flat_amount)),
    tax_paid: tax,
    total_paid: knownSum([grand, credit]),
    date,
    employee_id: row.fulfilledBy ?? row.placedBy,
    line_items: lines,
    discounts,
    taxes: (row.taxes ?? []).map(taxOf),
    payments: [
      ...row.payments.map(({ name, paymentTypeId, amount, finalAmount }) =>
        namedPayment(wholeCents(finalAmount ?? amount), name, methods.get(paymentTypeId ?? "") ?? null),
      ),
      namedPayment(credit, "store-credit"),
    ].filter(({ amount_paid }) => amount_paid !== 0),
    fees,
    customer: {
      pos_customer_id: id,
      type: isMedical === null ? null : isMedical ? "medical" : "rec",
      dob: plainDay(birthday),
      id_type: isMedical && medicalEnd ? "medical" : licenseEnd ? "drivers" : null,
      id_expiration_date: (isMedical && medicalEnd) || licenseEnd,
    },
  };
}

/**
 * The fees of an order: its grand total less its net price. The fee of a payment may include the delivery fee. So each
 * combination of the stated fees is computed, and the combination that adds up to this difference is used. If no
 * combination adds up, the difference is one fee without a name.
 *
 * @returns null if the grand total is below the net price
 */
function feesOf(row: Order): PosFee[] | null {
  const delivery = wholeCents(row.deliveryFee) ?? 0;
  const payment = sum(row.payments.map(({ feeAmount }) => wholeCents(feeAmount)));
  const readings = [
    ...(payment >= delivery ? [{ total: payment, parts: { delivery, payment: payment - delivery } }] : []),
    { total: delivery + payment, parts: { delivery, payment } },
    { total: delivery, parts: { delivery, payment: 0 } },
    { total: payment, parts: { delivery: 0, payment } },
  ] as const;
  const [net, grand] = [wholeCents(row.netPrice), wholeCents(row.customerGrandTotal)];
  const charged = net === null || grand === null ? null : grand - net;
  // If the net price or the grand total is unknown, the difference is unknown too. Then the first combination is used.
  const reading = charged === null ? readings[0] : chooseReading(readings, charged);
  if (reading) return [...feeOf("Delivery", reading.parts.delivery), ...feeOf("Payment", reading.parts.payment)];
  return charged !== null && charged < 0 ? null : feeOf(null, charged ?? 0);
}

function feeOf(fee_name: string | null, flat_amount: number): PosFee[] {
  return flat_amount === 0 ? [] : [posFee(fee_name, flat_amount)];
}

/** A voided return is no longer valid. */
export const isVoided = ({ voidedAt }: OrderReturn) => voidedAt !== null;

/** A return states the amount that was paid back. Its lines state only the number of returned units. */
export function returnRecords(row: OrderReturn): RecordsOrRejection<PosRetailSale> {
  if (row.createdAt === null) return { field: "createdAt", reason: "no_instant" };
  const total = wholeCents(row.refundTotal);
  const taxes = row.taxes?.filter(({ refunded }) => refunded !== false) ?? null;
  const tax = taxes && amountOf(taxes.map(({ amount }) => amount));
  const isPaidOut = row.refundType !== "none" && total !== null && total !== 0;
  const sale: PosRetailSale = {
    type: "retail",
    pos_sale_id: `return-${row.id}`,
    subtotal: subtract(total, [tax]),
    total_discounts: 0,
    tax_paid: tax,
    total_paid: total,
    date: row.createdAt,
    transaction_type: "return",
    employee_id: null,
    line_items: row.lineItems.map(({ quantity }) => ({ ...emptySaleLine, num_units: quantity })),
    discounts: [],
    taxes: (taxes ?? []).map(taxOf),
    payments: isPaidOut ? [refundPayment(row, total)] : [],
    fees: [],
    customer: emptySaleCustomer,
  };
  return [isVoided(row) ? voided(sale) : returned(sale)];
}

function refundPayment({ refundType, paymentTypeName }: OrderReturn, amount: number): PosPayment {
  if (refundType === "store-credit") return namedPayment(amount, refundType);
  return refundType === "payment-method" ? namedPayment(amount, paymentTypeName) : namedPayment(amount);
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

function discountOf({ description, type, amount, amountUsed }: Discount): PosDeduction {
  return {
    flat_amount: wholeCents(amountUsed),
    pct_amount: type === "percent" ? share(amount) : null,
    name: description,
  };
}

function taxOf({ description, rate, amount }: Tax): PosDeduction {
  return { flat_amount: wholeCents(amount), pct_amount: share(rate), name: description };
}

const isPromotion = (type: string | null) => type === "promo-code";
const amountOf = (amounts: readonly (string | null)[]) => knownSum(amounts.map(wholeCents));
