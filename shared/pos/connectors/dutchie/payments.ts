import { sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
import type { PosPayment } from "../../posRecords.ts";
import type { Transaction } from "./responses.ts";

/** The payments by type after subtraction of the change. Amounts keep the signs that Dutchie states. */
export function payments(row: Transaction): PosPayment[] {
  const net = withoutChange(tenders(row), Math.abs(dollarsToCents(row.changeDue) ?? 0));
  return net.filter(({ amount_paid }) => amount_paid !== 0);
}

/**
 * The amounts that the customer handed over. Dutchie states some amounts twice: by payment type, and by payment
 * processor. So three sets are tried: all amounts; all amounts except the processors' amounts; the second set without
 * the electronic amount. Empty sets are ignored. The set whose sum equals the paid amount is used. If no sum equals the
 * paid amount, the first set whose sum does not exceed the paid amount is used, or else the last set. If the paid
 * amount is unknown, the first set is used. Payments of processors without an amount are in each set.
 */
function tenders(row: Transaction): PosPayment[] {
  const byKind = paymentsOf([
    ["cashPaid", row.cashPaid],
    ["debitPaid", row.debitPaid],
    ["creditPaid", row.creditPaid],
    ["checkPaid", row.checkPaid],
    ["giftPaid", row.giftPaid],
    ["mmapPaid", row.mmapPaid],
    ["prePaymentAmount", row.prePaymentAmount],
  ]);
  const electronic = paymentsOf([[row.electronicPaymentMethod, row.electronicPaid]]);
  const processed = [
    ...row.integratedPayments.map(({ integrationType, integratedPaid }) => [integrationType, integratedPaid] as const),
    ...row.manualPayments.map(
      ({ manualPaymentProcessorName, manualPaid }) => [manualPaymentProcessorName, manualPaid] as const,
    ),
  ];
  const byProcessor = paymentsOf(processed);
  const unstated = processed.flatMap(([name, dollars]) => (dollars === null ? [namedPayment(null, name)] : []));
  const all = [...byKind, ...electronic, ...byProcessor];
  const paid = dollarsToCents(row.paid);
  if (paid === null) return [...all, ...unstated];
  const readings = [all, [...byKind, ...electronic], byKind]
    .filter((entries) => entries.length > 0)
    .map((entries) => ({ entries, total: Math.abs(total(entries)) }));
  const most = Math.abs(paid);
  const found = chooseReading(readings, most) ?? readings.find(({ total }) => total <= most) ?? readings.at(-1);
  return [...(found?.entries ?? []), ...unstated];
}

/**
 * Subtracts the change from the payments, cash first. Change above the cash reduces the other payments, because a
 * register that rounds card payments up gives change for card payments. Without any payment, the change is a payment to
 * the customer, as in a return.
 */
function withoutChange(entries: readonly PosPayment[], change: number): PosPayment[] {
  const sign = total(entries) < 0 ? -1 : 1;
  let left = change;
  const kept = entries.map((payment) => {
    const { amount_paid } = payment;
    if (amount_paid === null) return payment;
    const taken = Math.min(left, Math.max(0, amount_paid * sign));
    left -= taken;
    return { ...payment, amount_paid: amount_paid - taken * sign };
  });
  return [...kept, namedPayment(0 - left * sign, "changeDue")];
}

/** @param amounts each with the name of its field, or of the processor */
function paymentsOf(amounts: readonly (readonly [name: string | null, dollars: string | null])[]): PosPayment[] {
  return amounts.flatMap(([name, dollars]) => {
    const amount = dollarsToCents(dollars);
    return amount ? [namedPayment(amount, name)] : [];
  });
}

function total(entries: readonly PosPayment[]): number {
  return sum(entries.map(({ amount_paid }) => amount_paid));
}
