import { sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { paymentType } from "../../framework/conversions/paymentType.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
import type { PosSale } from "../../posRecords.ts";
import type { Transaction } from "./responses.ts";

type Payment = PosSale["payments"][number];

/** The payments by type after subtraction of the change. Amounts keep the signs that Dutchie states. */
export function payments(row: Transaction): Payment[] {
  return named(withoutChange(tenders(row), Math.abs(dollarsToCents(row.changeDue) ?? 0)));
}

/**
 * The amounts that the customer handed over. Dutchie states some amounts twice: by payment type, and by payment
 * processor. So three sets are tried: all amounts; all amounts except the processors' amounts; the second set without
 * the electronic amount. Empty sets are ignored. The set whose sum equals the paid amount is used. If no sum equals the
 * paid amount, the first set whose sum does not exceed the paid amount is used, or else the last set. If the paid
 * amount is unknown, the first set is used.
 */
function tenders(row: Transaction): Payment[] {
  const byKind = named([
    entry("cash", row.cashPaid),
    entry("debit", row.debitPaid),
    entry("credit", row.creditPaid),
    entry("check", row.checkPaid),
    entry("other", row.giftPaid),
    entry("other", row.mmapPaid),
    entry("other", row.prePaymentAmount),
  ]);
  const electronic = named([entry(paymentType(row.electronicPaymentMethod), row.electronicPaid)]);
  const byProcessor = named([
    ...row.integratedPayments.map(({ integrationType, integratedPaid }) =>
      entry(paymentType(integrationType), integratedPaid),
    ),
    ...row.manualPayments.map(({ manualPaymentProcessorName, manualPaid }) =>
      entry(paymentType(manualPaymentProcessorName), manualPaid),
    ),
  ]);
  const all = [...byKind, ...electronic, ...byProcessor];
  const paid = dollarsToCents(row.paid);
  if (paid === null) return all;
  const readings = [all, [...byKind, ...electronic], byKind]
    .filter((entries) => entries.length > 0)
    .map((entries) => ({ entries, total: Math.abs(total(entries)) }));
  const most = Math.abs(paid);
  const found = chooseReading(readings, most) ?? readings.find(({ total }) => total <= most) ?? readings.at(-1);
  return found?.entries ?? [];
}

/**
 * Subtracts the change from the payments, cash first. Change above the cash reduces the other payments, because a
 * register that rounds card payments up gives change for card payments. Without any payment, the change is a payment to
 * the customer, as in a return.
 */
function withoutChange(entries: readonly Payment[], change: number): Payment[] {
  const sign = total(entries) < 0 ? -1 : 1;
  let left = change;
  const kept = entries.map(({ type, amount_paid }) => {
    const taken = Math.min(left, Math.max(0, amount_paid * sign));
    left -= taken;
    return { type, amount_paid: amount_paid - taken * sign };
  });
  return [...kept, { type: "cash", amount_paid: 0 - left * sign }];
}

function entry(type: Payment["type"], amount: string | null): Payment {
  return { type, amount_paid: dollarsToCents(amount) ?? 0 };
}

function named(entries: readonly Payment[]): Payment[] {
  return entries.filter(({ amount_paid }) => amount_paid !== 0);
}

function total(entries: readonly Payment[]): number {
  return sum(entries.map(({ amount_paid }) => amount_paid));
}
