import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { paymentTypes } from "../../../../shared/api/enumerations.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { type OrderedList, recordList, revisedDayPrefix } from "../../../../shared/store/keys/orderedLists.ts";
import { type Fence, LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { withRawText } from "../../../../shared/store/recordText.ts";
import { retryOnConflict, retryOnOutage } from "../../../../shared/store/retryOnConflict.ts";
import {
  loadSalesWeeks,
  mondayOf,
  raiseVersion,
  setDay,
  totalsOf,
  weekWrite,
} from "../../../../shared/store/salesDays/salesWeek.ts";
import { accidents } from "../../../system/realRules/figures.ts";
import type { Changed, Observation } from "../../../system/realRules/observations.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { testTableOf } from "../../../testTable.ts";
import { recordId } from "../orderedList/listUnderTest.ts";
import { segmentSize } from "../orderedList/salesUnderTest.ts";
import { faultsOfTotals, storedDays } from "./faultsOfTotals.ts";

const second = 1_000;
const day = 24 * 3_600 * second;

/** Sundays, Mondays and New Year, so that moves cross weeks and years; and two days of one week. */
const days = ["2025-12-28", "2025-12-29", "2025-12-31", "2026-01-01", "2026-01-04", "2026-01-05", "2026-01-07"];
const nullable = ["subtotal", "total_discounts", "tax_paid", "total_paid"] as const;

/** A version of a sale, as some POS reports it. */
const saleVersion = fc.record({
  name: fc.nat(9),
  day: fc.constantFrom(...days),
  form: fc.constantFrom("sale", "sale", "return", "adjustment", "wholesale", null),
  net: fc.oneof(fc.nat(9_999), fc.nat(2 ** 31 - 1)),
  tax: fc.nat(999),
  discount: fc.nat(999),
  fee: fc.option(fc.record({ cents: fc.option(fc.nat(99)), isIncluded: fc.boolean(), isOfLine: fc.boolean() })),
  openBalance: fc.option(fc.nat(999)),
  missing: fc.oneof(
    { weight: 4, arbitrary: fc.constant<(typeof nullable)[number][]>([]) },
    { weight: 1, arbitrary: fc.subarray([...nullable]) },
  ),
  payments: fc.array(fc.constantFrom(...paymentTypes), { maxLength: 2 }),
  isMisread: fc.boolean(),
  customer: fc.constantFrom("medical", "rec", null, "none"),
});
type SaleVersion = typeof saleVersion extends fc.Arbitrary<infer Version> ? Version : never;

/** Some sales that a worker writes together, and the pause before them. */
const batch = fc.record({
  pauseMs: fc.constantFrom(0, 0, 50, 61 * second, 9 * 3_600 * second, day),
  sales: fc.array(saleVersion, { minLength: 1, maxLength: 8 }),
});
const crash = fc.option(fc.nat(60), { freq: 2, nil: undefined });
const worker = fc.record({ batches: fc.array(batch, { minLength: 1, maxLength: 4 }), crashAfterCalls: crash });

/** The work of a history: what two workers write, when the second one takes the lease over, and which days become complete. */
export const salesHistory = fc.record({
  seed: fc.nat(2 ** 20),
  hasAccidents: fc.boolean(),
  before: fc.array(batch, { maxLength: 2 }),
  completedBefore: fc.subarray(days),
  first: worker,
  second: worker,
  takeoverMs: fc.constantFrom(0, 20, 200, 61 * second),
  completed: fc.array(fc.record({ pauseMs: fc.constantFrom(0, 20, 200, second), day: fc.constantFrom(...days) }), {
    maxLength: 4,
  }),
});
type SalesHistory = typeof salesHistory extends fc.Arbitrary<infer History> ? History : never;

/** The record of a sale, as the writer receives it. */
function toContent(crbId: string, version: SaleVersion): Record<string, unknown> {
  const { form, net, tax, discount, fee, openBalance, missing, payments, isMisread, customer } = version;
  const sign = form === "return" ? -1 : 1;
  const cents = (amount: number) => (form === "adjustment" || amount === 0 ? 0 : sign * amount);
  const fees = fee
    ? [{ flat_amount: fee.cents === null ? null : cents(fee.cents), included_in_subtotal: fee.isIncluded }]
    : [];
  const feeCents = fees[0]?.flat_amount ?? 0;
  const subtotal = cents(net) - cents(discount) + (fee?.isIncluded ? feeCents : 0);
  const total = subtotal + cents(tax) + (fee?.isIncluded ? 0 : feeCents);
  const isWholesale = form === "wholesale";
  const open = isWholesale ? (openBalance ?? 0) : 0;
  const due = total - open + (isMisread ? 500 : 0);
  const split = payments.length === 2 ? [due - Math.trunc(due / 3), Math.trunc(due / 3)] : [due];
  const line = { num_units: 1, price_per_unit: cents(net), line_item_discounts: [], line_item_taxes: [] };
  const amounts = { subtotal, total_discounts: cents(discount), tax_paid: cents(tax), total_paid: total };
  const id = recordId(version.name);
  return {
    id,
    type: isWholesale ? "wholesale" : "retail",
    transaction_type: isWholesale ? "sale" : form,
    local_date: `${version.day} 10:00:00.000`,
    ...amounts,
    ...Object.fromEntries(missing.map((name) => [name, null])),
    line_items: [{ ...line, line_item_fees: fee?.isOfLine ? fees : [] }],
    discounts: discount ? [{ flat_amount: cents(discount) }] : [],
    taxes: [],
    fees: fee?.isOfLine ? [] : fees,
    payments: payments.map((type, i) => ({ type, amount_paid: split[i] ?? 0 })),
    customer:
      customer === "none" && isWholesale
        ? null
        : { customer_id: null, pos_customer_id: null, type: customer === "none" ? null : customer },
    ...(isWholesale && { invoice: { total, open_balance: openBalance, pos_customer_id: null } }),
    crb_id: crbId,
    svc_created_date: null,
    svc_updated_date: null,
  };
}

/** The days that transactions have changed, according to the commits alone. */
class ChangedDays {
  readonly #list: OrderedList;
  readonly #dayOfSale = new Map<string, string>();
  /** By complete day: the number of transactions that changed it since. */
  readonly revisions = new Map<string, number>();
  /** By day: the stamp of the last transaction that changed it. */
  readonly changedAt = new Map<string, string>();
  commits = 0;

  constructor(list: OrderedList) {
    this.#list = list;
  }

  readonly observe = (observation: Observation): void => {
    if (observation.type === "committed") this.#add(observation.changes);
  };

  #add(changes: readonly Changed[]): void {
    for (const { pk, sk } of changes) if (pk === completions && !this.revisions.has(sk)) this.revisions.set(sk, 0);
    const changed = new Set<string>();
    let stamp = "";
    for (const { pk, sk, item } of changes) {
      if (pk !== this.#list.pk || !item) continue;
      const sale = JSON.parse(withRawText(item).body?.S ?? "");
      const to = sale.local_date.slice(0, 10);
      changed.add(this.#dayOfSale.get(sk) ?? to).add(to);
      this.#dayOfSale.set(sk, to);
      stamp = sale.svc_updated_date;
    }
    if (changed.size > 0) this.commits++;
    for (const one of changed) {
      this.changedAt.set(one, stamp);
      const revision = this.revisions.get(one);
      if (revision !== undefined) this.revisions.set(one, revision + 1);
    }
  }
}

/** Partition of items that report complete days to `ChangedDays`. */
const completions = "COMPLETIONS";

/** Counts over all histories. They show that each of these cases occurs. */
export interface Reached {
  commits: number;
  revisions: number;
  takeovers: number;
  kills: number;
}

/**
 * Runs a history by DynamoDB's real rules on an empty table of the engine.
 *
 * @returns the differences between the stored totals and the stored sales
 */
export async function faultsOfHistory(bare: Table, history: SalesHistory, reached: Reached): Promise<string[]> {
  const { seed, hasAccidents, before, completedBefore, first, second: other, takeoverMs, completed } = history;
  const crbId = randomUUID();
  const list = recordList(crbId, "sale", segmentSize);
  const expected = new ChangedDays(list);
  const start = "2026-12-31T10:00:00.000Z";
  const world = new RealRules({ seed, start, observe: expected.observe, ...(hasAccidents && accidents) });
  const table = testTableOf(bare, world.clock);
  world.attach(table);
  const key = { pk: `LEASE of ${crbId}`, sk: "LEASE" };
  const takeLease = (number: number) => retryOnOutage(world.clock, () => table.put({ ...key, fence: number }), {});
  const write = async (number: number, batches: readonly { pauseMs: number; sales: SaleVersion[] }[]) => {
    const fence: Fence = { key, number };
    const writer = new RecordWriter(table, list, { fence, clock: world.clock, ...indexingOptions.sale });
    for (const { pauseMs, sales } of batches) {
      await world.clock.sleep(pauseMs);
      await writer.write(sales.map((sale) => ({ id: recordId(sale.name), content: toContent(crbId, sale) })));
    }
  };
  const outcomes = await world.run([
    {
      name: "first run",
      work: async () => {
        await takeLease(1);
        await write(1, before);
        for (const one of completedBefore) await complete(table, list, one);
      },
    },
  ]);
  outcomes.push(
    ...(await world.run([
      { name: "worker", work: () => write(1, first.batches), ...crashOf(first) },
      {
        name: "other worker",
        work: async () => {
          await world.clock.sleep(takeoverMs);
          await takeLease(2);
          await write(2, other.batches);
        },
        ...crashOf(other),
      },
      {
        name: "completion",
        work: async () => {
          for (const { pauseMs, day: one } of completed) {
            await world.clock.sleep(pauseMs);
            await complete(table, list, one);
          }
        },
      },
    ])),
  );
  table.client.destroy();
  const partitions = [list.pk, list.orders.rank.dayIndexPartition, list.totalsPartition ?? ""];
  const read = (pk: string) => bare.queryPartition(pk, { consistent: true });
  const items = (await Promise.all(partitions.map(read))).flat();
  const found = storedDays(items, list);
  const outbox = items.filter(({ pk, sk }) => pk === list.totalsPartition && sk.startsWith(revisedDayPrefix));
  const revisions = [...found].flatMap(([one, { completedAt, revision }]) => (completedAt ? [[one, revision]] : []));
  const revised = [...expected.revisions].filter(([, revision]) => revision > 0);
  reached.commits += expected.commits;
  reached.revisions += revised.length;
  reached.takeovers += outcomes.filter(({ error }) => error instanceof LeaseLostError).length;
  reached.kills += outcomes.filter(({ killed }) => killed).length;
  return [
    ...outcomes.flatMap(({ name, error }) => (error && !isExpected(error) ? [`${name}: ${error}`] : [])),
    ...faultsOfTotals(items, list),
    ...differenceOf("revisions", revisions, [...expected.revisions]),
    ...differenceOf(
      "outbox",
      outbox.map(({ sk, revision }) => [sk.slice(revisedDayPrefix.length), revision]),
      revised,
    ),
    ...[...found].flatMap(([one, { updatedAt, figures }]) => {
      const changedAt = expected.changedAt.get(one);
      // A day without sales has no time of its last change before it is complete.
      return updatedAt === changedAt || !figures.records ? [] : [`${one}: changed at ${updatedAt}, not ${changedAt}`];
    }),
  ];
}

const crashOf = ({ crashAfterCalls }: { crashAfterCalls: number | undefined }) =>
  crashAfterCalls === undefined ? {} : { crashAfterCalls };

/** A worker that lost its lease stops with this error. Accidents may also last longer than the retries of a worker. */
const isExpected = (error: unknown) =>
  error instanceof LeaseLostError || (error as { kind?: string }).kind === "unavailable";

function differenceOf(name: string, found: readonly unknown[][], expected: readonly unknown[][]): string[] {
  const [one, other] = [found, expected].map((pairs) =>
    pairs
      .map((pair) => pair.join(" "))
      .sort()
      .join(", "),
  );
  return one === other ? [] : [`${name}: ${one}, not ${other}`];
}

/** Completes a day, like a run that has read all sales of the day. */
async function complete(table: Table, { totalsPartition = "" }: OrderedList, date: string): Promise<void> {
  const { clock } = table;
  const attempt = async () => {
    const monday = mondayOf(date);
    const week = (await loadSalesWeeks(table, totalsPartition, [monday])).get(monday);
    if (!week || totalsOf(week, date).completedAt !== null) return;
    const at = clock.now().toISOString();
    const totals = totalsOf(week, date);
    const next = setDay(raiseVersion(week), date, { ...totals, completedAt: at, updatedAt: totals.updatedAt || at });
    await table.transact([weekWrite(table, totalsPartition, next), table.putWrite({ pk: completions, sk: date })]);
  };
  await retryOnOutage(clock, () => retryOnConflict(clock, attempt), {});
}
