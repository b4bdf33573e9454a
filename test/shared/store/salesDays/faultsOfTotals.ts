import { createHash } from "node:crypto";
import type { Item } from "../../../../shared/store/client.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatDigest, unpackDigest } from "../../../../shared/store/recordDigest.ts";
import type { Sale } from "../../../../shared/store/salesDays/dayFigures.ts";
import { daysOfWeek, type SalesDayTotals, toSalesWeek } from "../../../../shared/store/salesDays/salesWeek.ts";

// The totals and digests as docs/spec.md defines them, computed from the stored records. This file shares no
// computation with the service.

type StoredRecord = { id: string; svc_created_date: string; svc_updated_date?: string };
type StoredSale = Sale & StoredRecord & { local_date: string };

const paymentTypes = ["cash", "check", "debit", "credit", "multiple", "ach", "wire", "other", "unknown"] as const;

const sumOf = (amounts: readonly (number | null | undefined)[]) =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);

/** The digest of records, 64 hex digits. */
export function expectedDigest(records: readonly StoredRecord[]): string {
  const sums = Array.from({ length: 8 }, () => 0n);
  for (const { id, svc_created_date, svc_updated_date = svc_created_date } of records) {
    const hash = createHash("sha256").update(`${id} ${svc_updated_date}`, "utf8").digest("hex");
    for (const i of sums.keys()) sums[i] = (sums[i] ?? 0n) + BigInt(`0x${hash.slice(8 * i, 8 * i + 8)}`);
  }
  return sums.map((sum) => (sum % 2n ** 32n).toString(16).padStart(8, "0")).join("");
}

/** The counts and sums of a day with these sales. */
export function expectedFigures(sales: readonly Sale[]): Record<string, number> {
  const count = (isCounted: (sale: Sale) => boolean) => sales.filter(isCounted).length;
  const total = (amountOf: (sale: Sale) => number | null | undefined) => sumOf(sales.map(amountOf));
  const paid = ({ total_paid, invoice }: Sale) =>
    total_paid === null || invoice?.open_balance === null ? 0 : total_paid - (invoice?.open_balance ?? 0);
  const isUnexplained = (sale: Sale) => sale.payments.length === 0 && paid(sale) !== 0;
  const payments = sales.flatMap((sale): Sale["payments"] =>
    isUnexplained(sale) ? [{ type: "unknown" as const, amount_paid: paid(sale) }] : sale.payments,
  );
  const ofCustomer = (["medical", "rec", "unknown"] as const).map((type) => {
    const some = sales.filter(({ customer }) => (customer?.type ?? "unknown") === type);
    return { [`${type}.count`]: some.length, [`${type}.total_paid`]: sumOf(some.map(({ total_paid }) => total_paid)) };
  });
  const ofPayment = paymentTypes.map((type) => {
    const some = payments.filter((payment) => payment.type === type);
    return { [`${type}.payments`]: some.length, [`${type}.amount`]: sumOf(some.map(({ amount_paid }) => amount_paid)) };
  });
  return {
    records: sales.length,
    sales: count(({ transaction_type: type }) => type === "sale"),
    returns: count(({ transaction_type: type }) => type === "return"),
    adjustments: count(({ transaction_type: type }) => type === "adjustment"),
    subtotal: total(({ subtotal }) => subtotal),
    total_discounts: total(({ total_discounts }) => total_discounts),
    fees: total((sale) => sumOf(allFees(sale).map(({ flat_amount }) => flat_amount))),
    tax_paid: total(({ tax_paid }) => tax_paid),
    total_paid: total(({ total_paid }) => total_paid),
    invoiced: total(({ invoice }) => invoice?.total),
    open_balance: total(({ invoice }) => invoice?.open_balance),
    unknown_amounts: count((sale) =>
      [
        ...[sale.subtotal, sale.total_discounts, sale.tax_paid, sale.total_paid],
        ...allFees(sale).map(({ flat_amount }) => flat_amount),
        ...(sale.invoice ? [sale.invoice.total, sale.invoice.open_balance] : []),
      ].some((amount) => amount === null),
    ),
    mismatched: count((sale) => !fitsTogether(sale)),
    unknown_subtotals: count(({ subtotal }) => subtotal === null),
    unknown_totals: count(({ total_paid }) => total_paid === null),
    unknown_paid_amounts: count(({ total_paid, invoice }) => total_paid === null || invoice?.open_balance === null),
    ...(Object.assign({}, ...ofCustomer, ...ofPayment) as Record<string, number>),
  };
}

const allFees = ({ fees, line_items }: Sale) => [...fees, ...line_items.flatMap((line) => line.line_item_fees)];

/** Whether the amounts of a sale fit together within 2 cents, and half a cent more for each rounded part. */
function fitsTogether(sale: Sale): boolean {
  const { subtotal, tax_paid, total_paid, total_discounts, line_items, invoice } = sale;
  const isClose = (one: number, other: number, parts = 0) => Math.abs(one - other) <= 2 + parts / 2;
  const fees = (isIncluded: boolean) =>
    sumOf(allFees(sale).map((fee) => ((fee.included_in_subtotal === true) === isIncluded ? fee.flat_amount : 0)));
  const taxes = [...sale.taxes, ...line_items.flatMap((line) => line.line_item_taxes)];
  const discounts = [...sale.discounts, ...line_items.flatMap((line) => line.line_item_discounts)];
  const lines = line_items.map(({ num_units: units, price_per_unit: price }) =>
    units === null || price === null ? Number.NaN : units * price,
  );
  const rules = [
    subtotal === null || total_paid === null || isClose(subtotal + (tax_paid ?? 0) + fees(false), total_paid),
    total_paid === null ||
      invoice?.open_balance === null ||
      isClose(sumOf(sale.payments.map(({ amount_paid }) => amount_paid)) + (invoice?.open_balance ?? 0), total_paid),
    tax_paid === null ||
      taxes.length === 0 ||
      isClose(sumOf(taxes.map(({ flat_amount }) => flat_amount)), tax_paid, taxes.length),
    subtotal === null ||
      lines.length === 0 ||
      lines.includes(Number.NaN) ||
      [0, sumOf(discounts.map(({ flat_amount }) => flat_amount)), total_discounts ?? 0].some((discount) =>
        [0, tax_paid ?? 0].some((tax) => isClose(sumOf(lines) + fees(true) - discount, subtotal + tax, lines.length)),
      ),
  ];
  return !rules.includes(false);
}

/** The stored totals of all sales days of a list, by day. */
export function storedDays(items: readonly Item[], { totalsPartition }: OrderedList): Map<string, SalesDayTotals> {
  const weeks = items.filter(({ pk, sk }) => pk === totalsPartition && /^\d/.test(sk)).map(toSalesWeek);
  return new Map(weeks.flatMap(({ days }) => [...days]));
}

/**
 * Differences between the stored digest and totals of a list, and the stored records.
 *
 * @param items all items of the table, or at least of the list
 */
export function faultsOfTotals(items: readonly Item[], list: OrderedList): string[] {
  const records: StoredRecord[] = items.flatMap(({ pk, body }) => (pk === list.pk ? JSON.parse(body as string) : []));
  return [...faultsOfDigest(items, list, records), ...faultsOfDays(items, list, records as StoredSale[])];
}

function faultsOfDigest(items: readonly Item[], { pk, orders }: OrderedList, records: readonly StoredRecord[]) {
  const years = items
    .filter((item) => item.pk === orders.rank.dayIndexPartition)
    .sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const newest = years.at(-1);
  const expected = expectedDigest(records);
  const found = newest ? newest.digest && formatDigest(unpackDigest(newest.digest as Uint8Array)) : expectedDigest([]);
  return [
    ...(found === expected ? [] : [`${pk}: the digest is ${found}, not ${expected}`]),
    ...years.slice(0, -1).flatMap(({ sk, digest }) => (digest ? [`${pk}: the old year ${sk} has a digest`] : [])),
  ];
}

function faultsOfDays(items: readonly Item[], list: OrderedList, sales: readonly StoredSale[]): string[] {
  if (!list.totalsPartition) return [];
  const faults: string[] = [];
  const found = storedDays(items, list);
  const expected = Map.groupBy(sales, ({ local_date }) => local_date.slice(0, 10));
  for (const item of items.filter(({ pk, sk }) => pk === list.totalsPartition && /^\d/.test(sk))) {
    const isMonday = new Date(`${item.sk}T00:00:00Z`).getUTCDay() === 1;
    if (!isMonday) faults.push(`${item.sk} begins a week`);
    const outside = [...toSalesWeek(item).days.keys()].filter((day) => !daysOfWeek(item.sk).includes(day));
    if (outside.length > 0) faults.push(`the week ${item.sk} has ${outside}`);
  }
  for (const day of new Set([...found.keys(), ...expected.keys()])) {
    const totals = found.get(day);
    const ofDay = expected.get(day) ?? [];
    if (!totals) {
      faults.push(`${day}: ${ofDay.length} sales, but no totals`);
      continue;
    }
    if (ofDay.length === 0 && totals.completedAt === null) faults.push(`${day}: totals of no sales`);
    const figures: Record<string, number> = { ...totals.figures };
    for (const [name, value] of Object.entries(expectedFigures(ofDay))) {
      if ((figures[name] ?? 0) !== value) faults.push(`${day}: ${name} is ${figures[name]}, not ${value}`);
    }
    const digest = formatDigest(totals.digest);
    if (digest !== expectedDigest(ofDay)) faults.push(`${day}: the digest is ${digest}, not that of the sales`);
    if (totals.completedAt === null && totals.revision > 0) faults.push(`${day}: revised before it was complete`);
  }
  return faults;
}
