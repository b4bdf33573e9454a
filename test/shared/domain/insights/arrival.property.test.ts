import fc from "fast-check";
import { expect, test } from "vitest";
import type { Insight } from "../../../../shared/api/schemas/insight.ts";
import { announceReconciliation } from "../../../../shared/domain/deposits/announceReconciliation.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { deleteDeposit } from "../../../../shared/domain/deposits/deleteDeposit.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { sweepInsights } from "../../../../shared/domain/insights/sweepInsights.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { isThorough } from "../../../thorough.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { InsightShop, lastDay, saleOf, useShop } from "./insightShop.ts";

const table = useTestTable();

type Step = (shop: InsightShop) => Promise<void> | void;

const dayBefore = (days: number) => addDays(lastDay, -days);
const put =
  (...sales: PosSale[]): Step =>
  ({ pos }) =>
    pos.put("sale", ...sales);
const many = (day: string, change: Parameters<typeof saleOf>[2] = {}) =>
  Array.from({ length: 8 }, (_, i) => saleOf(day, i + 5, change));
const ofCustomer = (day: string, count: number) =>
  Array.from({ length: count }, (_, i): PosSale => {
    const sale = saleOf(day, i + 5);
    return { ...sale, customer: { ...sale.customer, pos_customer_id: "regular" } } as PosSale;
  });
const atNight = (day: string) =>
  [5, 6, 7].map((number): PosSale => ({ ...saleOf(day, number), date: `${day}T09:0${number}:00.000Z` }));
const deposit =
  (id: string, day: string, amount: number): Step =>
  async (shop) =>
    void (await storeDeposits(table(), shop, [{ id, posted_date: day, amount, type: "cash" }], shop.clock));

/** What arrives, in any order between the streams. The steps of a stream have an order, because later ones correct earlier ones. */
const streams: readonly (readonly Step[])[] = [
  [put(...many(dayBefore(1)))],
  [put(...many(dayBefore(2)).slice(0, 4)), put(...many(dayBefore(2)).slice(4))],
  // A day that was busy by mistake, and one that is busy after a correction.
  [put(...many(dayBefore(3))), put(...many(dayBefore(3), { total: 10, version: 1 }))],
  [put(...many(dayBefore(4), { total: 10 })), put(...many(dayBefore(4), { version: 1 }))],
  [put(...ofCustomer(dayBefore(6), 4))],
  [put(...atNight(dayBefore(7)))],
  [put(saleOf(dayBefore(8), 5, { total: 1_000_001 }))],
  [
    async (shop) => void (await setCashCount(table(), shop, { date: dayBefore(9), amount: 0 }, shop.clock)),
    deposit("typo", dayBefore(5), 90_000_000),
    async (shop) => void (await deleteDeposit(table(), shop, "typo", shop.clock)),
  ],
  [deposit("1", lastDay, 4_000_000), deposit("1", lastDay, 5_000_000)],
];

/** A shop to which the streams arrive on three days. Each open insight is decided at once. */
const openUsual = useShop(table, (shop) => {
  shop.pos.put("sale", ...InsightShop.usualSales());
  return shop.run();
});

class Arrivals {
  shop!: InsightShop;
  readonly decided = new Map<string, number>();

  async run(days: readonly (readonly Step[])[]): Promise<Insight[]> {
    this.shop = await openUsual();
    for (const steps of days) {
      for (const step of steps) await step(this.shop);
      await this.shop.runOnNextDay();
      await announceReconciliation(table(), this.shop.crbId, this.shop.clock);
      expect(await sweepInsights(table(), { clock: this.shop.clock })).toMatchObject({ failures: 0 });
      for (const insight of await this.shop.insights()) if (insight.status === "open") await this.#decide(insight);
    }
    return this.shop.insights();
  }

  async #decide(insight: Insight): Promise<void> {
    await this.shop.decide("explained", undefined, insight);
    const { id } = insight;
    this.decided.set(id, (this.decided.get(id) ?? 0) + 1);
  }

  /** The events of each insight, in their order. */
  async expectEachOnce(insights: readonly Insight[]): Promise<void> {
    const events = await this.shop.eventsOfInsights();
    for (const { id, status, occurrence, history } of insights) {
      const own = events.filter(({ insight_id }) => insight_id === id).map(({ type }) => type);
      const changes = own.filter((type) => type !== "insight.decided");
      const expected = Array.from({ length: occurrence }, () => ["insight.raised", "insight.withdrawn"]).flat();
      expect(changes).toEqual(status === "withdrawn" ? expected : expected.slice(0, -1));
      expect(history).toHaveLength(this.decided.get(id) ?? 0);
      expect(own.length - changes.length).toBe(history.length);
    }
  }
}

/** The part of an insight that must not depend on the order of arrival. */
const contentOf = ({ code, start_date, end_date, measured, expected, unit, criterion, sentence, inputs }: Insight) => ({
  ...{ code, start_date, end_date, measured, expected, unit, criterion, sentence, days: inputs.days.length },
  sales: inputs.sale_ids.length,
});
const contents = (insights: readonly Insight[]) =>
  insights
    .filter(({ status }) => status !== "withdrawn")
    .map(contentOf)
    .sort((one, other) => (one.code + one.start_date < other.code + other.start_date ? -1 : 1));

/** For each step the day of its arrival and its turn on that day. The days of a stream do not fall. */
const arrival = fc.tuple(
  ...streams.map((steps) =>
    fc.array(fc.record({ day: fc.nat({ max: 2 }), turn: fc.nat() }), {
      minLength: steps.length,
      maxLength: steps.length,
    }),
  ),
);

function toDays(arrivals: readonly { day: number; turn: number }[][]): Step[][] {
  const placed = streams.flatMap((steps, stream) => {
    const days = (arrivals[stream] ?? []).map(({ day }) => day).sort();
    return steps.map((step, i) => ({ step, day: days[i] ?? 0, turn: arrivals[stream]?.[0]?.turn ?? 0, i }));
  });
  placed.sort((one, other) => one.turn - other.turn || one.i - other.i);
  return [0, 1, 2].map((day) => placed.filter((each) => each.day === day).map(({ step }) => step));
}

test("in any order of arrival, the same insights hold in the end: none twice, none lost, each decision kept", async () => {
  const together = await new Arrivals().run([streams.flat(), [], []]);
  const expected = contents(together);
  expect(new Set(expected.map(({ code }) => code))).toEqual(
    new Set([
      ...["revenue_above_baseline", "repeat_purchases", "outside_own_hours", "large_cash_payment"],
      "deposits_unexplained",
    ]),
  );
  const property = fc.asyncProperty(arrival, async (arrivals) => {
    const orders = new Arrivals();
    const insights = await orders.run(toDays(arrivals));
    expect(contents(insights)).toEqual(expected);
    expect(new Set(insights.map(({ id }) => id)).size).toBe(insights.length);
    await orders.expectEachOnce(insights);
  });
  await fc.assert(property, { numRuns: isThorough ? 12 : 2 });
}, 900_000);
