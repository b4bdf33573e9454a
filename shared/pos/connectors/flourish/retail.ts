import { sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { knownMeans, namedPayment } from "../../framework/conversions/paymentType.ts";
import { voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptyCustomer,
  emptySaleCustomer,
  type PosCustomer,
  type PosPayment,
  type PosRetailSale,
  type PosSaleCustomer,
} from "../../posRecords.ts";
import { hasReturns, keptMoney, moneyOf, type OrderMoney } from "./orderMoney.ts";
import { paidOf, partsOf } from "./records.ts";
import type { Customer, RetailOrder } from "./responses.ts";

export function personRecord(row: Customer): PosCustomer {
  const home = row.address.find(({ is_primary }) => is_primary) ?? row.address.find(({ active }) => active !== false);
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    first_name: row.first_name,
    middle_name: row.middle_name,
    last_name: row.last_name,
    dob: plainDay(row.dob),
    address_1: home?.address_line_1 ?? null,
    address_2: home?.address_line_2 ?? null,
    city: home?.city ?? null,
    state: home?.state ?? null,
    zip_code: home?.postcode ?? null,
    phone: row.phone,
    email_address: row.email,
    pos_identification_type: row.patient_id === null ? null : "medical",
    pos_customer_type: row.customer_type,
    svc_customer_type: customerTypeOf(row.customer_type),
    medical_id: row.patient_id,
    medical_id_expiration_date: plainDay(row.medical_card_expiration),
    other_id: row.state_id,
    other_id_expiration_date: plainDay(row.state_id_expiration_timestamp),
    merged_into_pos_customer_id: row.merged_customer_id,
    pos_updated_date: row.last_updated_timestamp,
  };
}

/** Flourish documents only `Patient`. Any other type stays unknown, because a wrong one would judge a sale wrongly. */
const customerTypeOf = statusFinder<"medical">({ medical: "Patient" });

/** The meaning of an order's status. Flourish lists these statuses, and documents their meaning nowhere else. */
const stateOf = statusFinder({
  sale: "Completed",
  open: "Created, Submitted, Packed, Out for Delivery",
  undone: "Cancelled, Canceled, Undeliverable",
});

/** Whether an order was canceled or could not be delivered. Such an order only voids its stored sale. */
export const isNoRetailSale = ({ order_status }: RetailOrder) => stateOf(order_status) === "undone";

export function retailSaleRecords(row: RetailOrder): RecordsOrRejection<PosRetailSale> {
  const state = stateOf(row.order_status);
  if (state === null) return { field: "order_status", reason: "unknown_status" };
  if (state === "open") return [];
  const date = row.completed_timestamp ?? row.delivered_timestamp ?? row.order_timestamp;
  if (date === null) return { field: "completed_timestamp", reason: "no_instant" };
  if (state === "undone") return [voided(saleOf(row, date, moneyOf(row)))];
  // A retail order states the refund instead of the value of the returned goods.
  const money = hasReturns(row) ? keptMoney({ ...row, total_returns: row.total_refund }) : moneyOf(row);
  return money ? [saleOf(row, date, money)] : { field: "qty_returned", reason: "unclear_return" };
}

function saleOf(row: RetailOrder, date: string, money: OrderMoney): PosRetailSale {
  return {
    ...partsOf(row, date, money),
    type: "retail",
    // Orders name their staff, and have no ids of them, so `employee_id` stays null.
    payments: paymentsOf(row, paidOf(row, money)),
    customer: buyerOf(row),
  };
}

/**
 * The payments of an order. Flourish does not document whether the amount of a transaction contains the change, so the
 * reading that adds up to the paid amount is used. If none does, the means are unknown.
 */
function paymentsOf({ transactions }: RetailOrder, paid: number): PosPayment[] {
  const taken = transactions.filter(({ is_successful, is_voided }) => is_successful !== false && is_voided !== true);
  const readings = ["without change", "with change"].map((form) => {
    const amounts = taken.map(({ amount, change_given }) => {
      const change = form === "with change" ? (dollarsToCents(change_given) ?? 0) : 0;
      return (dollarsToCents(amount) ?? 0) - change;
    });
    return { form, amounts, total: sum(amounts) };
  });
  const reading = chooseReading(readings, paid);
  observeGuess("amount of a transaction", reading?.form ?? "unknown");
  if (!reading) return paid > 0 ? [{ type: "unknown", amount_paid: paid }] : [];
  return taken.flatMap(({ payment_type, reference_token }, at) => {
    const amount = reading.amounts[at] ?? 0;
    return amount === 0 ? [] : [namedPayment(amount, payment_type, knownMeans(reference_token))];
  });
}

function buyerOf({ customer_id, customer }: RetailOrder): PosSaleCustomer {
  const isPatient = (customer?.patient_id ?? null) !== null;
  return {
    ...emptySaleCustomer,
    pos_customer_id: customer_id,
    type: customerTypeOf(customer?.customer_type ?? null),
    dob: plainDay(customer?.dob ?? null),
    id_type: isPatient ? "medical" : null,
    id_expiration_date: isPatient ? plainDay(customer?.medical_card_expiration ?? null) : null,
  };
}
