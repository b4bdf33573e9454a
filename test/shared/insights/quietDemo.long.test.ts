import { expect, test } from "vitest";
import { normalizeSale } from "../../../shared/domain/replication/normalizeSale.ts";
import { findInsights } from "../../../shared/insights/findInsights.ts";
import type { InsightDay } from "../../../shared/insights/history.ts";
import { defaultInsightSettings } from "../../../shared/insights/insightCodes.ts";
import { type InsightSale, profileDay } from "../../../shared/insights/saleCodes.ts";
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

/** The complete days of a simulated shop after its first days, without the sales that break rules on purpose. */
function simulate(crbId: string): Map<string, InsightDay> {
  const connection = { ...testConnection, crbId, connectedAt: start };
  const world = worldOf(connection, 60);
  const population = sales.population(world);
  const end = new Date(Date.parse(start) + years * 365.25 * 86_400_000).toISOString();
  const byDay = new Map<string, InsightSale[]>();
  for (let index = population.initial; ; index++) {
    const tick = arrivalOf(population, index);
    const record = sales.record(world, { index, version: 0, tick });
    if (record.date > end) break;
    const content = normalizeSale(connection, record)?.content ?? expect.fail();
    const found = checkSale(content as unknown as CheckedSale, connection.state, saleRules);
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

test.each(["3f1c5e0a-77d2-4b0e-9d55-0c6a1be3f201", "a84d2b96-15c7-4e3a-8f02-7be94d51c602"])(
  "five years of the undisturbed shop %s raise at most two insights a month",
  (crbId) => {
    const history = simulate(crbId);
    const days = [...history.keys()];
    const found = findInsights({
      history,
      window: [days[0] as string, days.at(-1) as string],
      settings: defaultInsightSettings,
      licenses: [],
      deposits: [],
      statedMonth: null,
      peers: new Map(),
      isDecided: () => false,
    });
    const months = Map.groupBy(found, ({ end_date }) => end_date.slice(0, 7));
    const counts = Object.fromEntries(
      Map.groupBy(found, ({ code }) => code)
        .entries()
        .map(([code, all]) => [code, all.length]),
    );
    expect(days.length).toBeGreaterThan(years * 360);
    expect(found.length, JSON.stringify(counts)).toBeLessThanOrEqual(2 * 12 * years);
    expect(Math.max(0, ...[...months.values()].map((all) => all.length)), JSON.stringify(counts)).toBeLessThanOrEqual(
      2,
    );
  },
  600_000,
);
