import { knownSum, sum } from "../../../money/sums.ts";
import { companyOfSale } from "../../framework/companyRecord.ts";
import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { netGramsPer, weight } from "../../framework/conversions/grams.ts";
import { instantOrDay } from "../../framework/conversions/instants.ts";
import { knownMeans, namedPayment } from "../../framework/conversions/paymentType.ts";
import { voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { chooseReading, subtract } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySale,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosPayment,
  type PosSale,
  type PosWholesaleSale,
} from "../../posRecords.ts";
import type { Content, SalesOrder } from "./responses.ts";

/** The kind of an order by status. */
const stateOf = statusFinder({
  sale: "shipped, accepted, archived",
  open: "created, requested, pending, approved, filled",
  undone: "rejected, returned, canceled, cancelled",
});

/** Whether an order is rejected, returned or canceled. Such an order only voids its stored sale. */
export const isUndone = ({ status }: SalesOrder) => stateOf(status) === "undone";

/** @param timezone of the business, used for a date without a time */
export function saleRecords(row: SalesOrder, timezone: string): RecordsOrRejection<PosSale> {
  const state = stateOf(row.status);
  if (state === null) return { field: "status", reason: "unknown_status" };
  if (state === "open") return [];
  const date = instantOrDay(row.delivery_date, timezone) ?? row.updated_at;
  if (date === null) return { field: "delivery_date", reason: "no_instant" };
  if (isUndone(row)) return [voided(saleOf(row, date, null))];
  return [saleOf(row, date, subtotalOf(row))];
}

/**
 * The total of an order before taxes and after its discount. Canix documents that `subtotal` is that of all items, and that
 * the discount reduces it. If the sum of the lines shows that `subtotal` is after the discount, it stays unchanged.
 */
function subtotalOf(row: SalesOrder): number | null {
  const [subtotal, discount] = [dollarsToCents(row.subtotal), dollarsToCents(row.discount) ?? 0];
  if (subtotal === null || discount === 0) return subtotal;
  const lines = row.contents.map(lineItem);
  const gross = knownSum(row.contents.map(({ total_price }) => dollarsToCents(total_price)));
  const net = subtract(gross, [discountsOf(lines)]);
  const readings =
    net === null
      ? []
      : [
          { name: "before its discount", total: net, subtotal: subtotal - discount },
          { name: "after its discount", total: net - discount, subtotal },
        ];
  const found = chooseReading(readings, subtotal, lines.length);
  observeGuess("subtotal of an order", found?.name ?? "before its discount, unlike its lines");
  return found ? found.subtotal : subtotal - discount;
}

/**
 * An order's tax, and its total before credits. Canix documents that credits are subtracted after taxes, but not
 * whether a tax applies to other taxes. Each combination is computed, also without credits, and the combination that adds
 * up to the total is used.
 *
 * @returns no tax if no combination adds up
 */
function taxed(row: SalesOrder, subtotal: number | null): { tax: number | null; total: number | null } {
  const [total, credits] = [dollarsToCents(row.total_price), dollarsToCents(row.credits) ?? 0];
  if (total === null || subtotal === null) return { tax: null, total };
  const rates = [row.local_tax_rate, row.state_tax_rate, row.other_tax_rate].map((rate) => rate ?? 0);
  const sumOfRates = sum(rates);
  const compound = rates.reduce((all, rate) => all * (1 + rate), 1) - 1;
  const untaxed = subtotal + (dollarsToCents(row.total_cultivation_tax) ?? 0);
  const readings = [credits, 0].flatMap((off) =>
    [sumOfRates, compound].map((rate) => ({ off, total: Math.round(untaxed + subtotal * rate) - off })),
  );
  const found = chooseReading(readings, total, row.contents.length);
  const tax = found && total + found.off - subtotal;
  if (found && tax !== null && tax >= 0) return { tax, total: total + found.off };
  observeGuess("tax of an order", "unknown");
  return { tax: null, total };
}

function saleOf(row: SalesOrder, date: string, subtotal: number | null): PosWholesaleSale {
  const [discount, credits] = [dollarsToCents(row.discount) ?? 0, dollarsToCents(row.credits) ?? 0];
  const lines = row.contents.map(lineItem);
  const { tax, total } = taxed(row, subtotal);
  const payments = row.payments.map(paymentOf);
  const isListed = payments.some(({ amount_paid }) => amount_paid);
  const pos_customer_id = row.customer?.id ?? null;
  return {
    ...emptySale,
    type: "wholesale",
    pos_sale_id: row.id,
    subtotal,
    total_discounts: knownSum([discount, discountsOf(lines)]),
    tax_paid: tax,
    total_paid: total,
    date,
    employee_id: row.sales_representative?.id ?? null,
    line_items: lines,
    discounts: discount === 0 ? [] : [orderDiscount(row, discount)],
    taxes: tax ? [{ flat_amount: tax, pct_amount: null, name: null }] : [],
    payments: [
      ...(isListed ? payments : [{ type: "unknown" as const, amount_paid: dollarsToCents(row.total_paid) }]),
      { type: "other" as const, amount_paid: credits },
    ].filter(({ amount_paid }) => amount_paid !== 0),
    customer: companyOfSale(pos_customer_id),
    invoice: {
      id: row.id,
      pos_customer_id,
      memo: row.name,
      open_balance: dollarsToCents(row.remaining_balance),
      total: dollarsToCents(row.total_price),
    },
  };
}

/** The discounts of lines; null if one of them is unknown. */
const discountsOf = (lines: readonly PosLineItem[]): number | null =>
  knownSum(lines.flatMap(({ line_item_discounts }) => line_item_discounts).map(({ flat_amount }) => flat_amount));

function orderDiscount({ sales_order_credit: of }: SalesOrder, flat_amount: number): PosDeduction {
  const pct_amount = of?.type === "percentage" ? share(Number(of.amount ?? 0) || null) : null;
  return { flat_amount, pct_amount, name: of?.reason ?? null };
}

/** No field states the means, but a reference number may begin with its name, as the documented `CHK-1042` does. */
function paymentOf({ amount, reference_number }: SalesOrder["payments"][number]): PosPayment {
  return namedPayment(dollarsToCents(amount), knownMeans(reference_number));
}

function lineItem(content: Content): PosLineItem {
  return {
    ...emptySaleLine,
    pos_product_id: content.item?.id ?? null,
    product_name: content.item?.name ?? null,
    num_units: content.weight,
    price_per_unit: dollarsToFineCents(content.unit_price),
    grams: weight(content.weight, netGramsPer(content.weight_unit, null)),
    line_item_discounts: discountOf(content),
  };
}

/** The discount of a line. The line's total is the amount before this discount. */
function discountOf({ discount, total_price }: Content): PosDeduction[] {
  const amount = Number(discount?.amount ?? 0);
  if (!discount || amount === 0) return [];
  const name = discount.reason ?? null;
  if (discount.type !== "percentage") {
    return [{ flat_amount: dollarsToCents(discount.amount ?? null), pct_amount: null, name }];
  }
  const gross = dollarsToCents(total_price);
  return [{ flat_amount: gross === null ? null : Math.round((gross * amount) / 100), pct_amount: share(amount), name }];
}
