import { isSameSum, sum } from "../../../money/sums.ts";
import type { Rejection } from "../../connector.ts";
import { dollarsToCents, dollarsToFineCents, fine } from "../../framework/conversions/cents.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { flatSum } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSaleCustomer,
  posFee,
} from "../../posRecords.ts";
import type { Invoice, Line, Part } from "./responses.ts";

/** The meaning of an invoice's type. Cova documents no type, so each is an assumption. */
const stateOf = statusFinder({
  sale: "Sale, Sales, Sales Invoice",
  returned: "Return, Returned, Refund, Refunded",
  void: "Void, Voided",
});

/** The values of `Medical` are assumptions, too. */
const customerTypeOf = statusFinder({ medical: "Medical, Yes, True", rec: "Recreational, Adult Use, No, False" });

export function saleRecords(row: Invoice): RecordsOrRejection<PosRetailSale> {
  const state = stateOf(row.Type);
  if (state === null) return { field: "Type", reason: "unknown_status" };
  if (row.CreatedDateUtc === null) return { field: "CreatedDateUtc", reason: "no_instant" };
  if (state === "void") return [voided(saleOf(row, row.CreatedDateUtc, nothing))];
  const money = moneyOf(row);
  if ("reason" in money) return money;
  const sale = saleOf(row, row.CreatedDateUtc, money);
  if (state === "returned") return [returned(sale)];
  // A sale below 0 may be a return of an unknown kind.
  return money.total < 0 ? { field: "Type", reason: "unclear_return" } : [sale];
}

/** The amounts of an invoice, in cents. */
interface InvoiceMoney {
  subtotal: number;
  total: number;
  hasTax: boolean;
  lines: ReturnType<typeof lineMoney>[];
  taxes: PosDeduction[];
  payments: { amount: number; name: string | null }[];
  /** after tax, as fees below 0 */
  discounts: PosRetailSale["fees"];
}

const nothing = { subtotal: 0, total: 0, hasTax: false, lines: [], taxes: [], payments: [], discounts: [] };

/**
 * The amounts of an invoice. Cova does not document whether a price is that of a unit or of a line, whether it contains
 * the tax (a setting of the location), and whether the payments contain the change and the cash back. An invoice
 * states no total. So each combination is computed. If not exactly one result fits the payments best,
 * within the rounding of the lines, the invoice is rejected.
 */
function moneyOf(row: Invoice): InvoiceMoney | Rejection {
  for (const [index, { Quantity, SoldAtPrice }] of row.Products.entries()) {
    if (Quantity === null) return { field: `Products.${index}.Quantity`, reason: "no_quantity" };
    if (SoldAtPrice === null) return { field: `Products.${index}.SoldAtPrice`, reason: "not_given" };
  }
  const named = { Taxes: row.Taxes, Payments: row.Payments, PostTaxDiscounts: row.PostTaxDiscounts };
  for (const [list, parts] of Object.entries(named)) {
    const index = parts.findIndex((part) => amountOf(part) === null);
    if (index >= 0) return { field: `${list}.${index}.Amount`, reason: "not_given" };
  }
  const deduction = (part: Part) => ({
    flat_amount: amountOf(part),
    pct_amount: null,
    name: part.Name ?? part.TaxName,
  });
  const taxes = row.Taxes.map(deduction);
  const discounts = row.PostTaxDiscounts.map(deduction).map(({ flat_amount, name }) =>
    posFee(name, 0 - Math.abs(flat_amount ?? 0)),
  );
  const [tax, fee] = [flatSum(taxes), flatSum(discounts)];
  const paid = row.Payments.map((part) => ({ amount: amountOf(part) ?? 0, name: part.PaymentType ?? part.Name }));
  const found: { distance: number; money: InvoiceMoney; form: string }[] = [];
  for (const { payments, form: ofPayments } of paymentReadings(row, paid)) {
    const total = sum(payments.map(({ amount }) => amount));
    for (const isOfLine of [false, true]) {
      const lines = row.Products.map((line) => lineMoney(line, isOfLine));
      const net = sum(lines.map(({ gross, discount }) => gross - discount));
      for (const hasTax of tax ? [false, true] : [false]) {
        const distance = Math.abs((hasTax ? net : net + tax) + fee - total);
        if (!isSameSum(distance, 0, lines.length)) continue;
        const subtotal = total - fee - tax;
        const form = `${isOfLine ? "of a line" : "of a unit"}, ${hasTax ? "with" : "without"} tax, ${ofPayments}`;
        found.push({ distance, form, money: { subtotal, total, hasTax, lines, taxes, payments, discounts } });
      }
    }
  }
  const nearest = Math.min(...found.map(({ distance }) => distance));
  const best = found.filter(({ distance }) => distance === nearest);
  const [first] = best;
  const isClear = new Set(best.map(({ money }) => JSON.stringify(money))).size === 1;
  if (!first || !isClear) return { field: "Payments", reason: "unclear_total" };
  observeGuess("amounts of an invoice", first.form);
  return first.money;
}

const amountOf = ({ Amount, TaxAmount, Value }: Part) => dollarsToCents(Amount ?? TaxAmount ?? Value);

/** The payments as stated, and without change and cash back. Both are subtracted from cash, or else from the first payment. */
function paymentReadings(row: Invoice, stated: InvoiceMoney["payments"]) {
  const [change = 0, back = 0] = [row.ChangeDue, row.CashBack].map((amount) => Math.abs(dollarsToCents(amount) ?? 0));
  const amounts = new Set([0, change, back, change + back]);
  const cash = stated.findIndex(({ name }) => namedPayment(0, name).type === "cash");
  return [...amounts].map((less) => ({
    form: less === 0 ? "payments as stated" : "payments without change",
    payments: stated.map((one, at) => (at === Math.max(0, cash) ? { ...one, amount: one.amount - less } : one)),
  }));
}

/**
 * The amounts of a line in cents, before discounts and of discounts. With tax, they are those that its customer paid.
 *
 * @param isOfLine whether the prices of the line are those of all its units
 */
function lineMoney(line: Line, isOfLine: boolean) {
  const units = line.Quantity ?? 0;
  const count = isOfLine ? Math.sign(units) : units;
  const [sold, listed] = [line.SoldAtPrice, line.ListPrice].map((dollars) => dollarsToFineCents(dollars));
  const net = Math.round(count * (sold ?? 0));
  const gross = Math.round(count * Math.max(sold ?? 0, listed ?? 0));
  return { line, units, gross, discount: gross - net };
}

function saleOf(row: Invoice, date: string, money: InvoiceMoney): PosRetailSale {
  const { subtotal, total, hasTax, lines, taxes, payments, discounts } = money;
  // The tax of a line is not stated. So if prices contain tax, neither prices nor discounts before tax are known.
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.Id,
    subtotal,
    total_discounts: hasTax ? null : sum(lines.map(({ discount }) => discount)),
    tax_paid: flatSum(taxes),
    total_paid: total,
    date,
    employee_id: row.SoldByEmployeeId,
    line_items: lines.map((one) => lineItem(one, hasTax)),
    taxes: taxes.filter(({ flat_amount }) => flat_amount !== 0),
    payments: payments.flatMap(({ amount, name }) => (amount === 0 ? [] : [namedPayment(amount, name)])),
    fees: discounts.filter(({ flat_amount }) => flat_amount !== 0),
    customer: buyerOf(row),
  };
}

function lineItem({ line, units, gross, discount }: ReturnType<typeof lineMoney>, hasTax: boolean): PosLineItem {
  return {
    ...emptySaleLine,
    pos_product_id: line.ProductId ?? line.CatalogItemId ?? line.CatalogId,
    product_name: line.ProductName,
    num_units: units,
    price_per_unit: hasTax || units === 0 ? null : fine(gross / units),
    product_type: productCategory(line.Classification),
    cannabis_product: cannabisOf([line.Classification]),
    line_item_discounts: hasTax || discount === 0 ? [] : [{ flat_amount: discount, pct_amount: null, name: null }],
  };
}

function buyerOf(row: Invoice): PosSaleCustomer {
  return {
    ...emptySaleCustomer,
    pos_customer_id: row.CustomerId,
    type: customerTypeOf(row.Medical),
    dob: plainDay(row.CustomerDateOfBirth),
    id_type: row.MedicalRecommendationNumber ? "medical" : row.DriverLicenseNumber ? "drivers" : null,
  };
}
