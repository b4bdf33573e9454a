import type { PosDeduction, PosFee, PosLineItem, PosSale } from "../../posRecords.ts";

// Conversions of voided and returned sales (see PosSale). The amounts of a return become negative, whether the POS
// writes them as positive or negative.

/** Converts a sale to a voided one: totals become 0, and lists empty. Number, date and customer stay. */
export function voided<Sale extends PosSale>(sale: Sale): Sale {
  return {
    ...sale,
    transaction_type: "adjustment",
    subtotal: 0,
    total_discounts: 0,
    tax_paid: 0,
    total_paid: 0,
    line_items: [],
    discounts: [],
    taxes: [],
    payments: [],
    fees: [],
    ...(sale.type === "wholesale" && { invoice: { ...sale.invoice, open_balance: 0, total: 0 } }),
  };
}

/**
 * Converts a sale to a return: all amounts, unit counts and weights become negative, except unit prices. A fee below 0,
 * such as a discount after tax, becomes positive if the POS writes the return's total as positive.
 */
export function returned<Sale extends PosSale>(sale: Sale): Sale {
  const returnedFee = (sale.total_paid ?? 0) > 0 ? reversedFee : returnedPart<PosFee>;
  return {
    ...sale,
    transaction_type: "return",
    subtotal: negative(sale.subtotal),
    total_discounts: negative(sale.total_discounts),
    tax_paid: negative(sale.tax_paid),
    total_paid: negative(sale.total_paid),
    line_items: sale.line_items.map((line) => returnedLine(line, returnedFee)),
    discounts: sale.discounts.map(returnedPart),
    taxes: sale.taxes.map(returnedPart),
    payments: sale.payments.map((payment) => ({ ...payment, amount_paid: negative(payment.amount_paid) })),
    fees: sale.fees.map(returnedFee),
    ...(sale.type === "wholesale" && {
      invoice: { ...sale.invoice, open_balance: 0, total: negative(sale.invoice.total) },
    }),
  };
}

/** The line of a return. */
export function returnedLine(line: PosLineItem, returnedFee = returnedPart<PosFee>): PosLineItem {
  return {
    ...line,
    num_units: negative(line.num_units),
    price_per_unit: line.price_per_unit === null ? null : Math.abs(line.price_per_unit),
    grams: negative(line.grams),
    line_item_discounts: line.line_item_discounts.map(returnedPart),
    line_item_taxes: line.line_item_taxes.map(returnedPart),
    line_item_fees: line.line_item_fees.map(returnedFee),
  };
}

function reversedFee(fee: PosFee): PosFee {
  return { ...fee, flat_amount: fee.flat_amount === null ? null : 0 - fee.flat_amount };
}

function returnedPart<Part extends PosDeduction | PosFee>(part: Part): Part {
  return { ...part, flat_amount: negative(part.flat_amount) };
}

/** Never returns -0, since JSON has no -0. */
function negative(amount: number | null): number | null {
  return amount === null ? null : 0 - Math.abs(amount);
}
