import { sum } from "../../../money/sums.ts";
import { dollarsToCents, fine } from "../../framework/conversions/cents.ts";
import { weight } from "../../framework/conversions/grams.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
} from "../../posRecords.ts";
import { patientType } from "./customers.ts";
import { categoryOf, isMedicated } from "./products.ts";
import type { Ticket, TicketItem } from "./responses.ts";

/**
 * The meaning of a ticket's status. `DELIVERED` is undocumented, but known clients use it: the customer has received the
 * goods. A canceled or removed ticket only voids its stored sale.
 */
const ticketStateOf = statusFinder({
  sale: "COMPLETED, DELIVERED",
  open: "VERIFICATION_PENDING, AWAITING_PROCESSING, IN_PROCESS, PACKED_READY, OUT_FOR_DELIVERY, PREVIEW",
  canceled: "CANCELED, CANCELLED, REMOVED",
});

export const isCanceled = ({ order_status }: Ticket) => ticketStateOf(order_status) === "canceled";

export function saleRecords(row: Ticket): RecordsOrRejection<PosSale> {
  const state = ticketStateOf(row.order_status);
  if (state === null) return { field: "order_status", reason: "unknown_status" };
  if (state === "open") return [];
  const date = row.date_closed ?? row.last_updated_at;
  if (date === null) return { field: "date_closed", reason: "no_instant" };
  const sale = saleAsRung(row, date);
  if (state === "canceled") return [voided(sale)];
  // A refunded original stays a sale: its refund is a separate ticket.
  return [row.original_ticket_id === null ? sale : returned(sale)];
}

function saleAsRung(row: Ticket, date: string): PosRetailSale {
  const [tax, total] = [dollarsToCents(row.tax_total), dollarsToCents(row.total)];
  const fees = row.fees.map(({ type, total_amount }) => ({
    fee_name: type,
    percent_amount: null,
    flat_amount: dollarsToCents(total_amount),
    included_in_subtotal: false,
  }));
  const discounts = dollarsToCents(row.discount_total);
  return {
    type: "retail",
    pos_sale_id: row.ticket_id,
    completed_by_replicated: true,
    subtotal:
      row.post_tax_pricing && total !== null
        ? total - (tax ?? 0) - sum(fees.map(({ flat_amount }) => flat_amount))
        : dollarsToCents(row.sub_total),
    total_discounts: discounts === null ? null : Math.abs(discounts),
    tax_paid: tax,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: employeeOf(row),
    line_items: row.items.filter((item) => !isFee(item, row)).map(lineItem),
    discounts: [],
    taxes: [],
    payments: row.payments
      .map(({ payment_method, amount_paid }) => namedPayment(dollarsToCents(amount_paid) ?? 0, payment_method))
      .filter(({ amount_paid }) => amount_paid !== 0),
    fees,
    customer: {
      ...emptySaleCustomer,
      pos_customer_id: row.customer_id,
      type: patientType(row.ticket_patient_type),
    },
  };
}

/** The employee of a ticket. Treez writes `Default` if there is no employee. */
function employeeOf({ employee_id, created_by_employee }: Ticket): string | null {
  const id = employee_id ?? created_by_employee?.employee_id ?? null;
  return id === "Default" ? null : id;
}

/**
 * Whether an item only repeats a fee of the ticket. Such an item has no place, and its name ends in `FEE` or is the
 * type of a fee of the ticket.
 */
export function isFee({ location_name, product_size_name }: TicketItem, { fees }: Pick<Ticket, "fees">): boolean {
  const name = plain(product_size_name);
  return (
    fees.length > 0 &&
    location_name === null &&
    (name.endsWith(" FEE") || fees.some(({ type }) => plain(type) === name))
  );
}

function plain(name: string | null): string {
  return (name ?? "").toUpperCase().replaceAll("_", " ");
}

function lineItem(item: TicketItem): PosLineItem {
  const applied = item.discounts.length > 0 ? item.discounts : item.POS_discounts;
  return {
    ...emptySaleLine,
    pos_product_id: item.product_id,
    product_name: item.product_size_name,
    num_units: item.quantity,
    price_per_unit: pricePerUnit(item, applied),
    grams: item.product_unit === "GRAMS" ? weight(item.quantity, item.product_amount) : null,
    product_type: categoryOf(item.product_type),
    cannabis_product: isMedicated(item.product_type),
    line_item_discounts: applied.map(discountOf),
    line_item_taxes: item.tax.map(({ tax_name, rate, amount }) => ({
      flat_amount: dollarsToCents(amount),
      pct_amount: rate,
      name: tax_name,
    })),
  };
}

/** `price_sell` is the price of the whole line, after discounts and before tax. It may be negative in a refund. */
export function pricePerUnit(
  { price_sell, quantity }: Pick<TicketItem, "price_sell" | "quantity">,
  applied: readonly Pick<TicketItem["discounts"][number], "savings">[],
): number | null {
  const net = dollarsToCents(price_sell);
  if (net === null || !quantity) return null;
  const saved = sum(applied.map(({ savings }) => Math.abs(dollarsToCents(savings) ?? 0)));
  return fine((Math.abs(net) + saved) / Math.abs(quantity));
}

/** The sign of `savings` is ignored, because a ticket with a total discount below 0 was observed. */
function discountOf(discount: TicketItem["discounts"][number]): PosDeduction {
  const { discount_title, discount_amount, discount_method, savings } = discount;
  const inDollars = discount_method === "DOLLAR" ? discount_amount : null;
  const inPercent = discount_method === "PERCENT" ? discount_amount : null;
  const saved = dollarsToCents(savings ?? inDollars);
  return {
    flat_amount: saved === null ? null : Math.abs(saved),
    pct_amount: share(inPercent === null ? null : Math.abs(Number(inPercent))),
    name: discount_title,
  };
}
