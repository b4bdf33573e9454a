import { sum } from "../../money/sums.ts";
import type { Connection } from "../../pos/connector.ts";
import {
  type PosDeduction,
  type PosFee,
  type PosLineItem,
  type PosSale,
  type PosSaleCustomer,
  posIdOf,
} from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { paidAmount } from "../../store/salesDays/saleAmounts.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/**
 * Builds the sale record of the API from a POS record. Its compliance fields are computed when it is written (`saleCompliance`).
 *
 * @returns null for a sale outside the years 2000 to 2099, because no local time can be computed for it
 */
export function normalizeSale(connection: Connection, sale: PosSale): RecordToWrite<RecordContent["sale"]> | null {
  const { crbId, posType, timezone } = connection;
  const id = recordId(crbId, "sale", posType, posIdOf("sale", sale));
  const local_date = toLocalTime(sale.date, timezone);
  if (local_date === null) {
    return null;
  }
  const both = {
    id,
    pos_sale_id: sale.pos_sale_id,
    crb_id: crbId,
    subtotal: sale.subtotal,
    total_discounts: sale.total_discounts,
    tax_paid: sale.tax_paid,
    total_paid: sale.total_paid,
    date: sale.date,
    local_date,
    svc_created_date: null,
    svc_updated_date: null,
    transaction_type: sale.transaction_type,
    pos_name: posType,
    type: sale.type,
    employee_id: sale.employee_id,
    line_items: sale.line_items.map((line) => lineItem(connection, line)),
    discounts: sale.discounts.map(deduction),
    taxes: sale.taxes.map(deduction),
    payments: paymentsOf(sale),
    customer: sale.customer && saleCustomer(connection, sale.customer),
    fees: sale.fees.map(fee),
  };
  if (sale.type === "wholesale") return { id, content: { ...both, type: sale.type, invoice: invoice(sale.invoice) } };
  const customer = saleCustomer(connection, sale.customer);
  const compliance = {
    compliance_status: "unchecked",
    compliance_exceptions: null,
    compliance_warnings: null,
  } as const;
  return { id, content: { ...both, type: sale.type, customer, ...compliance } };
}

/**
 * The payments whose amounts the POS states. If it lacks one of them, the means of the rest of the paid amount are
 * unknown (docs/spec.md#unknown-amounts).
 */
function paymentsOf(sale: PosSale) {
  const stated = sale.payments.flatMap(({ type, amount_paid }) =>
    amount_paid === null ? [] : [{ type, amount_paid }],
  );
  const paid = paidAmount(sale);
  if (stated.length === sale.payments.length || paid === null) return stated;
  const rest = paid - sum(stated.map(({ amount_paid }) => amount_paid));
  return rest === 0 ? stated : [...stated, { type: "unknown" as const, amount_paid: rest }];
}

function lineItem({ crbId, posType }: Connection, line: PosLineItem) {
  return {
    product_id: line.pos_product_id === null ? null : recordId(crbId, "product", posType, line.pos_product_id),
    pos_product_id: line.pos_product_id,
    product_name: line.product_name,
    num_units: line.num_units,
    price_per_unit: line.price_per_unit,
    grams: line.grams,
    thc_mg_per_unit: line.thc_mg_per_unit,
    product_type: line.product_type,
    cannabis_product: line.cannabis_product,
    line_item_discounts: line.line_item_discounts.map(deduction),
    line_item_taxes: line.line_item_taxes.map(deduction),
    line_item_fees: line.line_item_fees.map(fee),
  };
}

function deduction({ flat_amount, pct_amount, name }: PosDeduction) {
  return { flat_amount, pct_amount, name };
}

function fee({ fee_name, percent_amount, flat_amount, included_in_subtotal }: PosFee) {
  return { fee_name, percent_amount, flat_amount, included_in_subtotal };
}

function saleCustomer({ crbId, posType }: Connection, customer: PosSaleCustomer) {
  const { pos_customer_id: posId } = customer;
  return {
    customer_id: posId === null ? null : recordId(crbId, "customer", posType, posId),
    pos_customer_id: posId,
    type: customer.type,
    dob: customer.dob,
    id_type: customer.id_type,
    id_expiration_date: customer.id_expiration_date,
  };
}

function invoice({
  id,
  pos_customer_id,
  memo,
  open_balance,
  total,
}: Extract<PosSale, { type: "wholesale" }>["invoice"]) {
  return { id, pos_customer_id, memo, open_balance, total };
}
