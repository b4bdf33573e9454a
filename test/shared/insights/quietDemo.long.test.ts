import { expect, test } from "vitest";
import { type CourierScript, deliver } from "../../../infra/local/courier.ts";
import { demoBusinesses } from "../../../infra/local/demoBusinesses.ts";
import { noSums } from "../../../shared/domain/deposits/daySums.ts";
import { reconcileDays } from "../../../shared/domain/deposits/reconcileDays.ts";
import { toSettings } from "../../../shared/domain/deposits/settings.ts";
import { normalizeSale } from "../../../shared/domain/replication/normalizeSale.ts";
import { cashRange } from "../../../shared/insights/cashRange.ts";
import { type DepositCase, depositCases } from "../../../shared/insights/depositCodes.ts";
import { findInsights } from "../../../shared/insights/findInsights.ts";
import type { InsightDay } from "../../../shared/insights/history.ts";
import { defaultInsightSettings } from "../../../shared/insights/insightCodes.ts";
import { type InsightSale, profileDay } from "../../../shared/insights/saleCodes.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { sales } from "../../../shared/pos/sandbox/sales.ts";
import { arrivalOf, worldOf } from "../../../shared/pos/sandbox/world.ts";
import { checkSale } from "../../../shared/saleChecks/checkSale.ts";
import type { CheckedSale } from "../../../shared/saleChecks/saleRule.ts";
import { saleRules } from "../../../shared/saleChecks/saleRules.ts";
import { addFigures, type DayFigures, type Sale, saleFigures } from "../../../shared/store/salesDays/dayFigures.ts";
import { testConnection } from "../pos/sandbox/testConnection.ts";

const years = 5;
const start = "2021-01-04T07:00:00.000Z";
/** The simulated shop opens with a rush of two days. */
const firstDay = "2021-01-08";

const unchecked = { compliance_status: null, compliance_exceptions: null, compliance_warnings: null };

/** The complete days of a simulated shop after its first days, without the sales that break rules on purpose. */
function simulate(connection: Connection): Map<string, InsightDay> {
  const world = worldOf(connection, 60);
  const population = sales.population(world);
  const end = new Date(Date.parse(start) + years * 365.25 * 86_400_000).toISOString();
  const byDay = new Map<string, InsightSale[]>();
  for (let index = population.initial; ; index++) {
    const tick = arrivalOf(population, index);
    // As it is in the end: voided later, or its invoice paid.
    const record = sales.record(world, { index, version: population.maxChanges?.(index) ?? 0, tick });
    if (record.date > end) break;
    const content = normalizeSale(connection, record)?.content ?? expect.fail();
    const isRetail = content.type === "retail";
    const found = isRetail ? checkSale(content as unknown as CheckedSale, connection.state, saleRules) : unchecked;
    const day = content.local_date.slice(0, 10);
    if (found.compliance_status === "red_flag" || day < firstDay) continue;
    byDay.set(day, [...(byDay.get(day) ?? []), { ...content, ...found } as unknown as InsightSale]);
  }
  return new Map(
    [...byDay].sort().map(([day, sold]) => {
      const figures = sold.reduce<DayFigures>((sum, sale) => addFigures(sum, saleFigures(sale as unknown as Sale)), {});
      const profile = profileDay(sold, { state: connection.state, rules: saleRules, settings: defaultInsightSettings });
      return [day, { figures, profile }];
    }),
  );
}

const shops: [string, Partial<Connection>][] = [
  ...demoBusinesses.flatMap(({ record: { id, name, state, timezone, business_type }, posType }) => {
    const shop = { crbId: id, state, timezone: timezone ?? "", posType: posType ?? "", businessType: business_type };
    return posType ? [[name, shop as Partial<Connection>] satisfies [string, Partial<Connection>]] : [];
  }),
  ...["3f1c5e0a-77d2-4b0e-9d55-0c6a1be3f201", "a84d2b96-15c7-4e3a-8f02-7be94d51c602"].map(
    (crbId): [string, Partial<Connection>] => [crbId, { crbId }],
  ),
];

/** Days between the cash counts of the demo. */
const countedDays = 45;

/** What the comparison of deposits keeps, if a courier brings all cash. */
function casesOf(
  history: ReadonlyMap<string, InsightDay>,
  script: CourierScript,
  { businessType }: Connection,
): DepositCase[] {
  const settings = toSettings(undefined);
  const sold = [...history].map(([date, { figures }]) => ({
    date,
    figures: figures as DayFigures,
    cash_sales_low: cashRange(figures as DayFigures, settings.never_cash).low,
    card_sales: (figures["debit.amount"] ?? 0) + (figures["credit.amount"] ?? 0),
  }));
  const sums = new Map<string, typeof noSums>();
  const change = (date: string, by: (before: typeof noSums) => Partial<typeof noSums>) => {
    const before = sums.get(date) ?? noSums;
    sums.set(date, { ...before, ...by(before) });
  };
  for (let i = 0; i < sold.length; i += countedDays) {
    const { count, deposits } = deliver(script, sold.slice(i, i + countedDays));
    change(count.date, () => ({ count: count.amount }));
    for (const { posted_date, amount, type } of deposits) {
      if (type !== "cash") continue;
      change(posted_date, ({ cash, cashDeposits }) => ({ cash: cash + amount, cashDeposits: cashDeposits + 1 }));
    }
  }
  const days = sold.map(({ date, figures }) => {
    return { date, figures, isComplete: true, salesRevision: 0, sums: sums.get(date) ?? noSums };
  });
  const since = sold[0]?.date ?? null;
  return depositCases(reconcileDays(days, { ...settings, since, isWholesale: businessType === "wholesale" }), settings);
}

test.each(shops)(
  "five years of the undisturbed shop %s raise at most two insights a month",
  (_, shop) => {
    const connection = { ...testConnection, ...shop, connectedAt: start };
    const history = simulate(connection);
    const days = [...history.keys()];
    // A courier who brings cash that no sale explains is found, unless unpaid invoices may explain it.
    if (connection.businessType === "retail") {
      expect(casesOf(history, "unexplained", connection)).not.toEqual([]);
    }
    expect(days.length).toBeGreaterThan(years * 360);
    for (const script of ["daily", "weekdays"] as const) {
      const found = findInsights({
        history,
        window: [days[0] as string, days.at(-1) as string],
        settings: defaultInsightSettings,
        licenses: [],
        deposits: casesOf(history, script, connection),
        state: {
          totals: new Map(days.map((day) => [day, history.get(day)?.figures.total_paid ?? 0])),
          basis: "pos_total",
          licenses: [],
        },
        statedMonth: null,
        peers: new Map(),
        isDecided: () => false,
      });
      const months = Map.groupBy(found, ({ end_date }) => end_date.slice(0, 7));
      const counts = Object.fromEntries(
        [...Map.groupBy(found, ({ code }) => code)].map(([code, all]) => [code, all.length]),
      );
      expect(
        Math.max(0, ...[...months.values()].map((all) => all.length)),
        JSON.stringify({ script, ...counts }),
      ).toBeLessThanOrEqual(2);
    }
  },
  600_000,
);
