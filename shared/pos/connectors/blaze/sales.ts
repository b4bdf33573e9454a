import { isSameSum, knownSum } from "../../../money/sums.ts";
import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { flatSum, subtract } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
} from "../../posRecords.ts";
import { feesOf } from "./cartFees.ts";
import type { Cart, Item, Promotion, Transaction } from "./responses.ts";

/** The fields that show whether a transaction is a sale. */
type Kind = Pick<Transaction, "status" | "transType" | "deleted">;

const stateOf = statusFinder({
  completed: "Completed",
  open: "Queued, Hold, InProgress",
  canceled: "Canceled, Cancelled",
});

/** The kind of a transaction by type. Every type that begins with `Refund` is a refund. */
const typeOf = statusFinder({ sale: "Sale", stock: "Adjustment, Transfer" });
const isRefund = (type: string | null) => type?.toLowerCase().startsWith("refund") ?? false;
const isOfSales = ({ transType }: Kind) => typeOf(transType) === "sale" || isRefund(transType);

/** Whether a transaction is a completed sale or refund. */
export const isSale = (row: Kind) => stateOf(row.status) === "completed" && isOfSales(row);

/** Whether a transaction is deleted or canceled, and not completed. Such a transaction only voids its stored sale. */
export function isUndone(row: Kind): boolean {
  const isGone = row.deleted === true || stateOf(row.status) === "canceled";
  return isGone && !isSale(row) && isOfSales(row);
}

/** The result for a transaction that is no sale: no records, or a rejection if its kind is not known. */
function noSale(row: Kind): RecordsOrRejection<PosSale> {
  if (typeOf(row.transType) === "stock" || stateOf(row.status) === "open") return [];
  return { field: isOfSales(row) ? "status" : "transType", reason: "unknown_status" };
}

export function saleRecords(row: Transaction): RecordsOrRejection<PosSale> {
  if (!isSale(row) && !isUndone(row)) return noSale(row);
  const date = row.completedTime ?? row.processedTime ?? row.endTime ?? row.created;
  if (date === null) return { field: "completedTime", reason: "no_instant" };
  const sale = saleAsRung(row, date);
  if (row.deleted || isUndone(row)) return [voided(sale)];
  const isVoid = row.cart.refundOption === "Void";
  if (!isRefund(row.transType)) return [isVoid ? voided(sale) : sale];
  // Blaze does not document whether the original sale is changed when a refund voids it. If the original sale is
  // unchanged, the additional return has the same effect as a void.
  if (isVoid) observeGuess("refund whose option is Void", "a return");
  return [returned(sale)];
}

function saleAsRung(row: Transaction, date: string): PosRetailSale {
  const { cart } = row;
  const rung = dollarsToCents(cart.total);
  const paid = isRefund(row.transType) ? refunded(cart) : rung;
  // A partial refund does not state its taxes.
  const isWhole = paid === null || rung === null || Math.abs(paid) === Math.abs(rung);
  // The sign of the refund may differ from the signs of the cart's other amounts.
  const total = isWhole ? (rung ?? paid) : paid;
  const tax = isWhole ? knownSum([dollarsToCents(cart.totalCalcTax), dollarsToCents(cart.totalPreCalcTax)]) : null;
  const fees = isWhole ? feesOf(cart) : [];
  const items = isRefund(row.transType) ? takenBack(cart.items) : cart.items;
  const lines = items.map(lineItem);
  const offLines = flatSum(lines.flatMap(({ line_item_discounts }) => line_item_discounts));
  const off = isWhole ? (dollarsToCents(cart.totalDiscount) ?? offLines) : offLines;
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.id,
    subtotal: subtract(total, [tax, flatSum(fees)]),
    total_discounts: off,
    tax_paid: tax,
    total_paid: total,
    date,
    employee_id: row.sellerId,
    line_items: lines,
    // Lines have their own discounts. The remaining discount belongs to the whole sale.
    discounts: off > offLines ? cartDiscounts(cart, off - offLines) : [],
    taxes: tax === null ? [] : taxesOf(cart, tax),
    payments: isRefund(row.transType) ? refundsOf(cart, total ?? 0) : paymentsOf(cart, total ?? 0),
    fees,
    customer: { ...emptySaleCustomer, pos_customer_id: row.memberId, type: customerTypeOf(cart.consumerType) },
  };
}

/** The amount paid back: the cart's final refund, else its refund, else its total. */
function refunded({ finalRefundAmt, refundAmount, total }: Cart): number | null {
  return [finalRefundAmt, refundAmount, total].map(dollarsToCents).find((amount) => amount) ?? dollarsToCents(total);
}

/** The lines of a refund that are marked as refunded, or all lines if no line is marked. */
function takenBack(items: readonly Item[]): readonly Item[] {
  const marked = items.filter(({ status }) => status === "Refunded");
  return marked.length > 0 ? marked : items;
}

function lineItem(item: Item): PosLineItem {
  const amount = dollarsToCents(item.calcDiscount) ?? 0;
  const pct_amount = item.discountType === "Percentage" ? share(item.discount) : null;
  return {
    ...emptySaleLine,
    pos_product_id: item.productId,
    product_name: item.productName ?? item.product?.name ?? null,
    num_units: item.quantity,
    price_per_unit: dollarsToFineCents(Number(item.overridePrice) > 0 ? item.overridePrice : item.unitPrice),
    line_item_discounts: amount === 0 ? [] : [{ flat_amount: amount, pct_amount, name: nameOf(item.promotionReqs) }],
  };
}

/** The name of a discount; null unless exactly one of its promotions has a name. */
function nameOf(promotions: readonly Promotion[]): string | null {
  const names = new Set(promotions.flatMap(({ name, couponCode }) => name ?? couponCode ?? []));
  const [name = null] = names;
  return names.size > 1 ? null : name;
}

/** The discounts beyond those of lines: the promotions that no line has if they add up, else one discount. */
function cartDiscounts(cart: Cart, amount: number): PosDeduction[] {
  const ofLines = new Set(
    cart.items.flatMap(({ promotionReqs }) => promotionReqs.map(({ promotionId }) => promotionId)),
  );
  const rest = cart.promotionReqLogs.filter(({ promotionId }) => promotionId === null || !ofLines.has(promotionId));
  const single = rest.filter((one) => dollarsToCents(one.amount) === amount);
  const applied = single.length === 1 ? single : rest;
  const named = applied.flatMap((one): PosDeduction[] => {
    const flat_amount = dollarsToCents(one.amount);
    return flat_amount ? [{ flat_amount, pct_amount: null, name: nameOf([one]) }] : [];
  });
  if (named.length > 0 && isSameSum(flatSum(named), amount, named.length)) return named;
  return [{ flat_amount: amount, pct_amount: null, name: cart.promoCode }];
}

const taxNames = [
  ["totalCityTax", "City"],
  ["totalCountyTax", "County"],
  ["totalStateTax", "State"],
  ["totalFedTax", "Federal"],
  ["totalExciseTax", "Excise"],
  ["totalALExciseTax", "Excise, arm's length"],
] as const;

/** The taxes by name if their sum equals the total tax; otherwise one entry with the total tax. */
function taxesOf({ taxResult }: Cart, tax: number): PosDeduction[] {
  const named = taxNames.flatMap(([field, name]) => {
    const flat_amount = dollarsToCents(taxResult?.[field] ?? null);
    return flat_amount ? [{ flat_amount, pct_amount: null, name }] : [];
  });
  if (isSameSum(flatSum(named), tax, named.length)) return named;
  return tax === 0 ? [] : [{ flat_amount: tax, pct_amount: null, name: null }];
}

/** The means of a refund. A partial one keeps the split of the whole cart, which does not say how it was paid back. */
function refundsOf(cart: Cart, total: number): PosRetailSale["payments"] {
  const payments = paymentsOf(cart, total);
  const sum = payments.reduce((all, { amount_paid }) => all + Math.abs(amount_paid ?? 0), 0);
  if (payments.length === 0 || sum === Math.abs(total)) return payments;
  const [only] = payments;
  return [only && payments.length === 1 ? { ...only, amount_paid: total } : namedPayment(total, "Split")];
}

function paymentsOf(cart: Cart, total: number): PosRetailSale["payments"] {
  const { paymentOption, splitPayment } = cart;
  const unpaid = Math.min(Math.max(0, dollarsToCents(cart.balanceDue) ?? 0), Math.max(0, total));
  if (paymentOption === "None") return [];
  if (paymentOption !== "Split" || !splitPayment) {
    return total - unpaid ? [namedPayment(total - unpaid, paymentOption)] : [];
  }
  const fields = ["cashAmt", "creditDebitAmt", "checkAmt", "cashlessAmt", "storeCreditAmt"] as const;
  return fields.flatMap((field) => {
    const amount = dollarsToCents(splitPayment[field] ?? null);
    return amount ? [namedPayment(amount, field)] : [];
  });
}
