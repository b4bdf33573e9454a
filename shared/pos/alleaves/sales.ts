import { cents, fine, finelyInCents, sum } from "../conversions/cents.ts";
import { returned, voided } from "../conversions/reversals.ts";
import type { PosLineItem, PosRetailSale, PosSale } from "../posRecords.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Order, OrderItem } from "./answers.ts";

/** Cents by which rounding may part two sums. */
const tolerance = 2;

/** What undoes a sale that was stored before, and is none otherwise: no words of the status are promised. */
export const isUndone = ({ complete, status }: Order) => complete === false || /cancel|void/i.test(status ?? "");

/** An order that is complete is a sale. Whether it is cannot be left open. */
export function saleRecords(row: Order): Made<PosSale> {
  if (row.complete === null) return { field: "complete", reason: "unknown_status" };
  if (row.date_created === null) return { field: "date_created", reason: "no_instant" };
  const sale = saleOf(row, row.date_created);
  if (isUndone(row)) return [voided(sale)];
  return [(sale.total_paid ?? 0) < 0 ? returned(sale) : sale];
}

/**
 * A sale of which no more is known than its total: which fields hold the tax, the discounts and the payments is not, so
 * that nothing is said of them.
 */
function saleOf(row: Order, date: string): PosRetailSale {
  const total = cents(row.total);
  const isPaid = row.paid_in_full !== false && total !== null && total !== 0;
  const customer = row.id_customer !== null && Number(row.id_customer) <= 0 ? null : row.id_customer;
  return {
    type: "retail",
    pos_sale_id: row.id_order,
    completed_by_replicated: true,
    subtotal: null,
    total_discounts: null,
    tax_paid: null,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: null,
    line_items: row.items.map(lineItem(priceMeans(row))),
    discounts: [],
    taxes: [],
    payments: isPaid ? [{ type: "unknown", amount_paid: total }] : [],
    fees: [],
    customer: { pos_customer_id: customer, type: null, dob: null, id_type: null, id_expiration_date: null },
  };
}

/**
 * Whether the price of an order's row is that of one unit or of them all, which is not told: by which the rows come to the
 * order's total. Taxes or discounts hide it.
 *
 * @returns null where it stays open
 */
function priceMeans({ items, total }: Order): "unit" | "row" | null {
  if (items.every(({ quantity }) => quantity === 1)) return "unit";
  const isTotal = (amounts: (number | null)[]) =>
    Math.abs(sum(amounts) - (cents(total) ?? Number.NaN)) <= tolerance + items.length / 2;
  const prices = items.map(({ price }) => cents(price));
  const byUnit = isTotal(items.map(({ quantity }, at) => (quantity ?? Number.NaN) * (prices[at] ?? Number.NaN)));
  const means = byUnit === isTotal(prices) ? null : byUnit ? "unit" : "row";
  observeGuess("price of an order's row", means === null ? "not told" : `of the ${means}`);
  return means;
}

const lineItem =
  (means: "unit" | "row" | null) =>
  ({ id_item, item, quantity, price }: OrderItem): PosLineItem => ({
    pos_product_id: id_item,
    product_name: item,
    num_units: quantity,
    price_per_unit: unitPrice(finelyInCents(price), quantity, means),
    grams: null,
    product_type: null,
    cannabis_product: null,
    line_item_discounts: [],
    line_item_taxes: [],
    line_item_fees: [],
  });

function unitPrice(amount: number | null, quantity: number | null, means: "unit" | "row" | null): number | null {
  if (amount === null || means === "unit" || quantity === 1) return amount;
  return means === "row" && quantity ? fine(amount / quantity) : null;
}
