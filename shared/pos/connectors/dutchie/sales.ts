import { isSameSum, sum } from "../../../money/sums.ts";
import { fromLocalTime } from "../../../time/localTime.ts";
import { companyOfSale } from "../../framework/companyRecord.ts";
import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { netGramsPer, weight } from "../../framework/conversions/grams.ts";
import { statesOffset, utcInstant, wallClock } from "../../framework/conversions/instants.ts";
import { addNamedCharges } from "../../framework/conversions/namedCharges.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { subtract } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosSale,
  posFee,
} from "../../posRecords.ts";
import { keyAt } from "./inventory.ts";
import { payments } from "./payments.ts";
import type { Item, Transaction } from "./responses.ts";

/** The kind of a transaction: a sale to consumers or to businesses, or a transfer to another location. */
const kindOf = statusFinder({ retail: "Retail", wholesale: "WholesaleOrder", transfer: "Transfer" });

export interface SaleContext {
  businessType: "retail" | "wholesale";
  timezone: string;
  /** the Dutchie location of the key */
  locationId: string;
}

/** The sale of a transaction; none for the other business type. A transaction without a type counts as retail. */
export function saleRecords(row: Transaction, context: SaleContext): RecordsOrRejection<PosSale> {
  const kind = kindOf(row.transactionType ?? "Retail");
  if (kind === null) return { field: "transactionType", reason: "unknown_status" };
  return kind === context.businessType ? [saleRecord(row, context)] : [];
}

function saleRecord(row: Transaction, context: SaleContext): PosSale {
  const rung = saleAsRung(row, context);
  if (row.isVoid) return voided(rung);
  const sale = addNamedCharges(rung, [{ fee_name: "Tip", amount: dollarsToCents(row.tipAmount) }]);
  if (row.isReturn || row.returnOnTransactionId !== null) return returned(sale);
  return row.adjustmentForTransactionId !== null ? { ...sale, transaction_type: "adjustment" } : sale;
}

function saleAsRung(row: Transaction, context: SaleContext): PosSale {
  const [tax, total, beforeTax] = [
    dollarsToCents(row.tax),
    dollarsToCents(row.total),
    dollarsToCents(row.totalBeforeTax),
  ];
  const isTotal = (more: number) => isSameSum((beforeTax ?? 0) + (tax ?? 0) + more, total ?? 0);
  const charged = sum(row.feesAndDonations.map(({ amount }) => dollarsToCents(amount)));
  // The total may contain the tip.
  const isIncluded =
    !row.isTaxInclusive && (isTotal(0) || (!isTotal(charged) && isTotal(dollarsToCents(row.tipAmount) ?? 0)));
  const fees = row.feesAndDonations.map(({ description, amount }) =>
    posFee(description, dollarsToCents(amount), isIncluded),
  );
  const lines = row.items.filter(({ isCoupon }) => !isCoupon);
  const base = {
    ...emptySale,
    pos_sale_id: row.transactionId,
    pos_key: keyAt(context.locationId, row.transactionId),
    subtotal:
      row.isTaxInclusive && total !== null
        ? subtract(total, [tax, ...fees.map(({ flat_amount }) => flat_amount)])
        : beforeTax,
    total_discounts: dollarsToCents(row.totalDiscount),
    tax_paid: tax,
    total_paid: total,
    date: saleInstant(row.transactionDate, row.transactionDateLocalTime, context.timezone),
    employee_id: row.responsibleForSaleUserId ?? row.employeeId,
    line_items: lines.map(lineItem),
    discounts: [...saleDiscounts(row), ...row.items.filter(({ isCoupon }) => isCoupon).flatMap(coupon)],
    // The taxes are either on the lines or on the sale. If a line has taxes, the taxes of the sale would repeat them.
    taxes: lines.some(({ taxes }) => taxes.length > 0)
      ? []
      : row.taxSummary.map(({ rateName, amount }) => deduction(rateName, amount)),
    payments: payments(row),
    fees,
  };
  const { customerId: pos_customer_id } = row;
  if (context.businessType === "retail") {
    const type = row.isMedical === null ? null : row.isMedical ? ("medical" as const) : ("rec" as const);
    return { ...base, type: "retail", customer: { ...emptySaleCustomer, pos_customer_id, type } };
  }
  return {
    ...base,
    type: "wholesale",
    customer: companyOfSale(pos_customer_id),
    invoice: {
      id: row.invoiceNumber,
      pos_customer_id,
      memo: row.invoiceName,
      open_balance: total === null ? null : Math.max(0, total - (dollarsToCents(row.paid) ?? 0)),
      total,
    },
  };
}

/** The instant of a sale: UTC as documented, or as observed the local time, without offset and in both fields. */
export function saleInstant(date: string, local: string | null, timezone: string): string {
  const shown = wallClock(date);
  const isLocal = shown !== null && shown === wallClock(local) && !statesOffset(date);
  return (isLocal && fromLocalTime(shown, timezone)) || (utcInstant(date) ?? "");
}

function lineItem(item: Item): PosLineItem {
  // A line does not state its category, so milligrams may be a dose.
  const gramsEach = (item.unitWeight ?? 0) * (netGramsPer(item.unitWeightUnit, null) ?? 0);
  return {
    ...emptySaleLine,
    pos_product_id: item.productId,
    num_units: item.quantity,
    price_per_unit: dollarsToFineCents(item.unitPrice),
    grams: weight(item.quantity, gramsEach),
    line_item_discounts: item.discounts.map(discount),
    line_item_taxes: item.taxes.map(({ rateName, rate, amount }) => deduction(rateName, amount, rate)),
  };
}

const discount = ({ discountName, amount }: Transaction["discounts"][number]) => deduction(discountName, amount);

const deduction = (name: string | null, dollars: string | null, pct_amount: number | null = null): PosDeduction => ({
  flat_amount: dollarsToCents(dollars),
  pct_amount,
  name,
});

/** The discounts that belong to no line. Lines have their own discounts. */
function saleDiscounts({ discounts, items }: Transaction): PosDeduction[] {
  const lines = new Set(items.map(({ transactionItemId }) => transactionItemId));
  return discounts.filter(({ transactionItemId }) => !lines.has(transactionItemId)).map(discount);
}

/** A coupon as a discount. Dutchie lists it like a product, whose name replication adds. */
function coupon({ totalPrice, productId }: Item): PosDeduction[] {
  const amount = Math.abs(dollarsToCents(totalPrice) ?? 0);
  return amount === 0 ? [] : [{ pos_product_id: productId, flat_amount: amount, pct_amount: null, name: null }];
}
