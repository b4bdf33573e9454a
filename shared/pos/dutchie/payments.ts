import { cents, sum } from "../conversions/cents.ts";
import { type PaymentType, paymentType } from "../conversions/paymentType.ts";
import type { PosSale } from "../posRecords.ts";
import type { Transaction } from "./answers.ts";

/**
 * What was paid by which means, without what was handed back. Dutchie names some amounts twice: once by kind, and again
 * by the processor that took them. So where all together pass what was paid, the processors' amounts are left out, and
 * the electronic one where that is not enough.
 */
export function payments(row: Transaction): PosSale["payments"] {
  const byKind = [
    entry("cash", absolute(cents(row.cashPaid)) - absolute(cents(row.changeDue))),
    entry("debit", cents(row.debitPaid)),
    entry("credit", cents(row.creditPaid)),
    entry("check", cents(row.checkPaid)),
    entry("other", cents(row.giftPaid)),
    entry("other", cents(row.mmapPaid)),
    entry("other", cents(row.prePaymentAmount)),
  ];
  const electronic = [entry(paymentType(row.electronicPaymentMethod), cents(row.electronicPaid))];
  const byProcessor = [
    ...row.integratedPayments.map(({ integrationType, integratedPaid }) =>
      entry(paymentType(integrationType), cents(integratedPaid)),
    ),
    ...row.manualPayments.map(({ manualPaymentProcessorName, manualPaid }) =>
      entry(paymentType(manualPaymentProcessorName), cents(manualPaid)),
    ),
  ];
  const paid = absolute(cents(row.paid)) - absolute(cents(row.changeDue));
  const choices = [
    [...byKind, ...electronic, ...byProcessor],
    [...byKind, ...electronic],
  ];
  const fitting = choices.find((entries) => sum(entries.map(({ amount_paid }) => amount_paid)) <= paid + 1) ?? byKind;
  return fitting.filter(({ amount_paid }) => amount_paid !== 0);
}

function entry(type: PaymentType, amount: number | null) {
  return { type, amount_paid: absolute(amount) };
}

/** Returns come with either sign. */
function absolute(amount: number | null): number {
  return Math.abs(amount ?? 0);
}
