import { isSameSum, knownSum, sum } from "../../../money/sums.ts";
import { dollarsToCents, fine } from "../../framework/conversions/cents.ts";
import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { weight } from "../../framework/conversions/grams.ts";
import { addNamedCharges } from "../../framework/conversions/namedCharges.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { subtract } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
  posFee,
} from "../../posRecords.ts";
import { categoryOf, isMedicated } from "./products.ts";
import type { Ticket, TicketItem } from "./responses.ts";
import { type RewardReading, readRewards, rewardOf } from "./rewards.ts";

/**
 * The meaning of a ticket's status. `DELIVERED` is undocumented, but known clients use it: the customer has received the
 * goods. A canceled or removed ticket only voids its stored sale.
 */
const ticketStateOf = statusFinder({
  sale: "COMPLETED, DELIVERED",
  open: "VERIFICATION_PENDING, AWAITING_PROCESSING, IN_PROCESS, PACKED_READY, OUT_FOR_DELIVERY, PREVIEW, DRAFT",
  canceled: "CANCELED, CANCELLED, REMOVED",
});

export const isCanceled = ({ order_status }: Ticket) => ticketStateOf(order_status) === "canceled";

export function saleRecords(row: Ticket): RecordsOrRejection<PosSale> {
  const state = ticketStateOf(row.order_status);
  if (state === null) return { field: "order_status", reason: "unknown_status" };
  if (state === "open") return [];
  const date = row.date_closed ?? row.last_updated_at;
  if (date === null) return { field: "date_closed", reason: "no_instant" };
  const rung = saleAsRung(row, date);
  if (state === "canceled") return [voided(rung)];
  const sale = addNamedCharges(rung, chargesOf(row));
  // A refunded original stays a sale: its refund is a separate ticket.
  return [row.original_ticket_id === null ? sale : returned(sale)];
}

function saleAsRung(row: Ticket, date: string): PosRetailSale {
  const [tax, total] = [dollarsToCents(row.tax_total), dollarsToCents(row.total)];
  const fees = row.fees.map(({ type, total_amount }) => posFee(type, dollarsToCents(total_amount)));
  /** what the total has on top of the subtotal */
  const extras = [tax, ...fees.map(({ flat_amount }) => flat_amount)];
  const subtotal = row.post_tax_pricing && total !== null ? subtract(total, extras) : dollarsToCents(row.sub_total);
  const items = row.items.filter((item) => !isFee(item, row));
  const parts = knownSum([subtotal, ...extras]);
  const rewards = readRewards(items, { subtotal, parts, total });
  const lines = items.map((item) => lineItem(item, rewards));
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.ticket_id,
    subtotal,
    total_discounts: discountsOf(row, items, rewards),
    tax_paid: tax,
    total_paid: rewards === "payment" ? parts : total,
    date,
    employee_id: employeeOf(row),
    line_items: lines,
    payments: paymentsOf(row, rewards === "payment" && parts !== null && total !== null ? parts - total : 0),
    fees,
    customer: { ...emptySaleCustomer, pos_customer_id: row.customer_id, type: customerTypeOf(row.ticket_patient_type) },
  };
}

/** All discounts of a ticket. Their total may equal their sum without the reward dollars of the lines. */
function discountsOf({ discount_total }: Ticket, items: readonly TicketItem[], rewards: RewardReading): number | null {
  const stated = dollarsToCents(discount_total);
  if (stated === null) return null;
  const reward = rewards === "payment" ? 0 : sum(items.map(rewardOf));
  const others = sum(items.flatMap(appliedTo).map(savedBy));
  const total = Math.abs(stated);
  return reward > 0 && isSameSum(total, others) ? total + reward : total;
}

/**
 * The payments of a ticket.
 *
 * @param rewards the reward dollars that are a payment, in cents; they are added unless the ticket lists them
 */
function paymentsOf({ payments }: Ticket, rewards: number): PosRetailSale["payments"] {
  const stated = payments.map(({ payment_method, amount_paid }) =>
    namedPayment(dollarsToCents(amount_paid), payment_method),
  );
  const isListed = stated.some(({ type, amount_paid }) => type === "other" && amount_paid === rewards);
  const all = isListed ? stated : [...stated, namedPayment(rewards, rewardDollars)];
  return all.filter(({ amount_paid }) => amount_paid !== 0);
}

/** Amounts of the payment processor. Treez does not say which of them the customer paid. */
function chargesOf({ payments, payment_fee }: Ticket) {
  const amountOf = (field: "processor_fee" | "processor_tip") =>
    sum(payments.map((payment) => dollarsToCents(payment[field])));
  return [
    { fee_name: "Tip", amount: amountOf("processor_tip") },
    { fee_name: "Payment", amount: amountOf("processor_fee") },
    { fee_name: "Payment", amount: dollarsToCents(payment_fee) },
  ];
}

const rewardDollars = "Reward dollars";

/** The employee of a ticket. Treez writes `Default` if there is no employee. */
function employeeOf({ employee_id, created_by_employee }: Ticket): string | null {
  const id = employee_id ?? created_by_employee?.employee_id ?? null;
  return id === "Default" ? null : id;
}

/** Whether an item only repeats a fee of the ticket: it has no place, and a fee's type or a name ending in `FEE`. */
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

/** The discounts of an item. Treez repeats them in a second list. */
const appliedTo = ({ discounts, POS_discounts }: TicketItem) => (discounts.length > 0 ? discounts : POS_discounts);

function lineItem(item: TicketItem, rewards: RewardReading): PosLineItem {
  const applied = appliedTo(item);
  const reward = rewards === "payment" ? 0 : rewardOf(item);
  return {
    ...emptySaleLine,
    pos_product_id: item.product_id,
    product_name: item.product_size_name,
    num_units: item.quantity,
    price_per_unit: pricePerUnit(item, sum(applied.map(savedBy)) + (rewards === "in prices" ? reward : 0)),
    grams: item.product_unit === "GRAMS" ? weight(item.quantity, item.product_amount) : null,
    product_type: categoryOf(item.product_type),
    cannabis_product: isMedicated(item.product_type),
    line_item_discounts: [
      ...applied.map(discountOf),
      ...(reward > 0 ? [{ flat_amount: reward, pct_amount: null, name: rewardDollars }] : []),
    ],
    line_item_taxes: item.tax.map(({ tax_name, rate, amount }) => ({
      flat_amount: dollarsToCents(amount),
      pct_amount: rate,
      name: tax_name,
    })),
  };
}

/**
 * `price_sell` is the price of the whole line, after discounts and before tax. It may be negative in a refund.
 *
 * @param saved the discounts in `price_sell`, in cents
 */
export function pricePerUnit(
  { price_sell, quantity }: Pick<TicketItem, "price_sell" | "quantity">,
  saved: number,
): number | null {
  const net = dollarsToCents(price_sell);
  if (net === null || !quantity) return null;
  return fine((Math.abs(net) + saved) / Math.abs(quantity));
}

/** The amount of a discount in cents; 0 if unknown. */
const savedBy = (discount: TicketItem["discounts"][number]) => discountOf(discount).flat_amount ?? 0;

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
