import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { RecordOf } from "../../../clients/typescript/listRecords.ts";
import { demoBusinesses } from "../../../infra/local/demoBusinesses.ts";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import { dice } from "../../../shared/pos/sandbox/dice.ts";
import { answerOf } from "../../client/answerOf.ts";
import { type ApiClient, apiClient, everyRecord } from "../../client/apiClient.ts";
import { digestOf } from "../digestOf.ts";

const crbPath = "/service-providers/{sp_id}/crbs/{crb_id}";
type Sale = RecordOf<`${typeof crbPath}/sales`>;
type SalesDay = RecordOf<`${typeof crbPath}/sales-days`>;

const windows = 210;

// All four businesses of the demo. `useStage` leaves out sales of one.
let stage: Stage;
let client: ApiClient;
beforeAll(async () => {
  const data = mkdtempSync(join(inject("temporaryDirectory"), "sales-days-"));
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
  const { base_url: baseUrl, service_provider } = stage.description;
  client = apiClient({ baseUrl, credential: service_provider.client_secret });
}, 600_000);
afterAll(() => stage?.stop());

const pathOf = (crb_id: string) => ({ sp_id: stage.description.service_provider.sp_id, crb_id });

async function readAll<Record>(records: AsyncGenerator<Record, void>): Promise<Record[]> {
  const all: Record[] = [];
  for await (const record of records) all.push(record);
  return all;
}

const readSales = (crbId: string, query: { start_date?: string; end_date?: string } = {}) =>
  readAll(everyRecord(client, `${crbPath}/sales`, { path: pathOf(crbId), query: { ...query, limit: 500 } }));

const dayOf = ({ local_date }: Sale) => local_date.slice(0, 10);

/** Adds up what a function returns for each sale. An unknown amount counts as 0. */
const total = (sales: readonly Sale[], amountOf: (sale: Sale) => number | null | undefined) =>
  sales.reduce((sum, sale) => sum + (amountOf(sale) ?? 0), 0);

const feesOf = ({ fees, line_items }: Sale) => [...fees, ...line_items.flatMap(({ line_item_fees }) => line_item_fees)];

const add = (amounts: readonly (number | null)[]) => amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);

const invoiceOf = (sale: Sale) => ("invoice" in sale ? sale.invoice : undefined);

/** Whether an amount of a sale is null. */
function lacksAmount(sale: Sale): boolean {
  const amounts = [sale.subtotal, sale.total_discounts, sale.tax_paid, sale.total_paid];
  const fees = feesOf(sale).map(({ flat_amount }) => flat_amount);
  const invoice = invoiceOf(sale);
  return [...amounts, ...fees, ...(invoice ? [invoice.total, invoice.open_balance] : [])].includes(null);
}

/** Whether the equations of docs/guide/money-and-sales.md fail. They hold to the cent for the demo. */
function isMismatched(sale: Sale): boolean {
  const others = add(
    feesOf(sale)
      .filter(({ included_in_subtotal }) => !included_in_subtotal)
      .map(({ flat_amount }) => flat_amount),
  );
  const paid = add(sale.payments.map(({ amount_paid }) => amount_paid)) + (invoiceOf(sale)?.open_balance ?? 0);
  const sum = (sale.subtotal ?? 0) + (sale.tax_paid ?? 0) + others;
  return sum !== sale.total_paid || paid !== sale.total_paid;
}

const paymentOrder = ["cash", "check", "debit", "credit", "multiple", "ach", "wire", "other", "unknown"];

/** The figures of a day, from its sales alone. */
function recompute(sales: readonly Sale[]) {
  const payments = sales.flatMap((sale) => {
    const due = (sale.total_paid ?? 0) - (invoiceOf(sale)?.open_balance ?? 0);
    const isUnlisted = sale.payments.length === 0 && due !== 0;
    return isUnlisted ? [{ type: "unknown", amount_paid: due }] : sale.payments;
  });
  const typed = (type: string) => sales.filter(({ transaction_type }) => transaction_type === type).length;
  const customers = (type: string | null) => {
    const own = sales.filter(({ customer }) => (customer?.type ?? null) === type);
    return { count: own.length, total_paid: total(own, ({ total_paid }) => total_paid) };
  };
  const checked = (status: string) => {
    const own = sales.filter((sale) => "compliance_status" in sale && sale.compliance_status === status);
    return { count: own.length, total_paid: total(own, ({ total_paid }) => total_paid) };
  };
  return {
    sales: typed("sale"),
    returns: typed("return"),
    adjustments: typed("adjustment"),
    subtotal: total(sales, ({ subtotal }) => subtotal),
    total_discounts: total(sales, ({ total_discounts }) => total_discounts),
    fees: total(sales, (sale) => add(feesOf(sale).map(({ flat_amount }) => flat_amount))),
    tax_paid: total(sales, ({ tax_paid }) => tax_paid),
    total_paid: total(sales, ({ total_paid }) => total_paid),
    by_payment: paymentOrder.flatMap((type) => {
      const own = payments.filter((payment) => payment.type === type);
      const amount = add(own.map(({ amount_paid }) => amount_paid));
      return own.length > 0 ? [{ type, count: own.length, amount }] : [];
    }),
    by_customer_type: { medical: customers("medical"), rec: customers("rec"), unknown: customers(null) },
    gross_sales: total(
      sales.filter(({ transaction_type }) => transaction_type !== "return"),
      ({ total_paid }) => total_paid,
    ),
    by_compliance: {
      unchecked: checked("unchecked"),
      svc_checked: checked("svc_checked"),
      warning: checked("warning"),
      red_flag: checked("red_flag"),
    },
    invoiced: total(sales, (sale) => invoiceOf(sale)?.total),
    open_balance: total(sales, (sale) => invoiceOf(sale)?.open_balance),
    unknown_amounts: sales.filter(lacksAmount).length,
    mismatched: sales.filter(isMismatched).length,
    records: sales.length,
    digest: digestOf(sales),
  };
}

const localDay = (instant: Date, timeZone: string) => instant.toLocaleDateString("sv-SE", { timeZone });

const latest = (sales: readonly Sale[]) =>
  sales
    .map(({ svc_updated_date }) => svc_updated_date)
    .sort()
    .at(-1) ?? "";

/**
 * Checks every field of the days that a window lists.
 * @param sales the sales of the window
 */
function expectDays(days: readonly SalesDay[], sales: readonly Sale[], crb: { id: string; timezone: string }): void {
  const byDay = Map.groupBy(sales, dayOf);
  const dates = days.map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort().reverse());
  expect([...byDay.keys()].filter((date) => !dates.includes(date))).toEqual([]);
  for (const day of days) {
    const { data_as_of, complete, completed_date, revision, svc_updated_date, ...figures } = day;
    const own = byDay.get(day.date) ?? [];
    expect(figures).toEqual({ crb_id: crb.id, date: day.date, timezone: crb.timezone, ...recompute(own) });
    const isPast = data_as_of !== null && localDay(new Date(data_as_of), crb.timezone) > day.date;
    expect([day.date, complete]).toEqual([day.date, isPast]);
    expect([day.date, completed_date !== null]).toEqual([day.date, isPast]);
    if (!isPast) expect(revision).toBe(0);
    if (own.length === 0) expect([day.date, complete]).toEqual([day.date, true]);
    // The last change of the day stored its newest sale, removed a sale, or completed a day without sales.
    expect(svc_updated_date >= latest(own)).toBe(true);
    const isChanged = completed_date !== null && own.some((sale) => sale.svc_updated_date > completed_date);
    if (isChanged) expect(revision).toBeGreaterThan(0);
  }
}

/** Random windows around the days of the sales. Some are open at one end, empty, or in the future. */
function randomWindow(random: ReturnType<typeof dice>, days: readonly string[]) {
  const [first, last] = [Date.parse(days[0] ?? "2026-01-01"), Date.parse(days.at(-1) ?? "2026-01-31")];
  const dayMs = 86_400_000;
  const start = random.between(-10, (last - first) / dayMs + 10);
  const dateAt = (place: number) => new Date(first + place * dayMs).toISOString().slice(0, 10);
  const end = start + (random.percent(70) ? random.between(0, 14) : random.between(0, 150));
  return {
    ...(!random.percent(5) && { start_date: dateAt(start) }),
    ...(!random.percent(5) && { end_date: dateAt(end) }),
  };
}

describe.each(demoBusinesses)("$record.name", ({ record: crb, posType }) => {
  /** @returns the digest of the sales */
  async function expectAllWindows(seed: string): Promise<string> {
    const sales = await readSales(crb.id);
    const days = [...new Set(sales.map(dayOf))].sort();
    const random = dice("windows", crb.id, seed);
    for (let i = 0; i < windows; i++) {
      const window = randomWindow(random, days);
      const limit = random.percent(20) ? random.between(1, 20) : 1000;
      const query = { ...window, limit };
      const found = await readAll(everyRecord(client, `${crbPath}/sales-days`, { path: pathOf(crb.id), query }));
      const { start_date = "", end_date = "~" } = window;
      const own = sales.filter((sale) => dayOf(sale) >= start_date && dayOf(sale) <= end_date);
      expectDays(found, own, crb);
      if (i % 30 > 0) continue;
      const listed = await readSales(crb.id, window);
      expect(listed.map(({ id }) => id).sort()).toEqual(own.map(({ id }) => id).sort());
    }
    return digestOf(sales);
  }

  test(`${windows} random windows equal a recomputation from its sales, as do later changes`, async () => {
    const first = await expectAllWindows("first");
    await stage.replicate();
    const changed = await expectAllWindows("changed");
    expect(changed !== first).toBe(posType !== null);
  }, 900_000);

  test("its days together have all of its sales and the digest of their list", async () => {
    const { data } = answerOf(await client.GET(`${crbPath}/replications`, { params: { path: pathOf(crb.id) } }));
    const list = data.find(({ kind }) => kind === "sales");
    const query = { limit: 1000 };
    const days = await readAll(everyRecord(client, `${crbPath}/sales-days`, { path: pathOf(crb.id), query }));
    expect(days.reduce((sum, { records }) => sum + records, 0)).toBe(list?.records);
    expect(list?.digest).toBe(digestOf(await readSales(crb.id)));
    for (const { data_as_of } of days) expect(data_as_of).toBe(list?.data_as_of);
    expect(days.length > 100).toBe(posType !== null);
  });
});
