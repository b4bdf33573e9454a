import { sum } from "../../money/sums.ts";
import { companyOfSale } from "../framework/companyRecord.ts";
import { namedPayment } from "../framework/conversions/paymentType.ts";
import { type PosCustomer, type PosWholesaleSale, posFee } from "../posRecords.ts";
import type { Dice } from "./dice.ts";
import type { SaleDraft } from "./retailSales.ts";
import { totalsOf } from "./saleLines.ts";

/** In each further version of a sale, one more installment of its invoice is paid. */
export function wholesaleSale(
  noted: SaleDraft,
  buyer: PosCustomer | null,
  { index, version, initial }: { index: number; version: number; initial: number },
  chance: Dice,
): PosWholesaleSale {
  const isSale = noted.transaction_type === "sale";
  const { line_items, ...rest } = noted;
  const fees = isSale && chance.percent(40) ? [freight] : [];
  const totals = totalsOf({ line_items, discounts: [], taxes: [], fees });
  const paid = isSale ? paidBefore(index, initial) + version : instalments(index);
  const payments = paymentsOf(totals.total_paid, instalments(index), paid, chance);
  const pos_customer_id = buyer?.pos_customer_id ?? null;
  return {
    ...rest,
    ...totals,
    type: "wholesale",
    line_items,
    discounts: [],
    taxes: [],
    payments,
    // Some sales name the customer only on the invoice.
    customer: chance.percent(6) ? null : companyOfSale(pos_customer_id),
    fees,
    invoice: {
      id: `INV-${noted.pos_sale_id}`,
      pos_customer_id,
      memo: chance.percent(70)
        ? chance.pick(["Net 30", "Net 30", "Net 15", "Paid on delivery", "Standing order"])
        : null,
      open_balance: totals.total_paid - sum(payments.map(({ amount_paid }) => amount_paid)),
      total: totals.total_paid,
    },
  };
}

const freight = posFee("Freight", 7500);

/** The number of unpaid installments when the sale was first recorded. */
export function instalmentsLeft(index: number, initial: number): number {
  return instalments(index) - paidBefore(index, initial);
}

function instalments(index: number): number {
  return 1 + (index % 3);
}

/** Most invoices from long before the connection are paid; one in eleven buyers pays late. */
function paidBefore(index: number, initial: number): number {
  if (index >= initial || index % 11 === 0) return 0;
  return index < initial * 0.6 ? instalments(index) : index % (instalments(index) + 1);
}

/** The greatest invoice that is paid in cash, in cents: two of a buyer on one day need not be reported to the tax authority. */
const maxCashInvoice = 500_000;

function paymentsOf(total: number, count: number, paid: number, chance: Dice): PosWholesaleSale["payments"] {
  const usual = chance.pick(["check", "ach", "ach", "wire", "cash"] as const);
  const type = usual === "cash" && Math.abs(total) > maxCashInvoice ? "check" : usual;
  const part = Math.trunc(total / count);
  if (total === 0) return [];
  return Array.from({ length: paid }, (_, i) =>
    namedPayment(i === count - 1 ? total - part * (count - 1) : part, type),
  );
}
