import { expect, test } from "vitest";
import { demoBusinesses } from "../../../../infra/local/demoBusinesses.ts";
import { setInsightSettings } from "../../../../shared/domain/insights/insightSettings.ts";
import { defaultInsightSettings, type InsightCode } from "../../../../shared/insights/insightCodes.ts";
import { sales } from "../../../../shared/pos/sandbox/sales.ts";
import { arrivalOf, worldOf } from "../../../../shared/pos/sandbox/world.ts";
import { createTestTable } from "../../../testTable.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { InsightShop, lastDay } from "./insightShop.ts";
import { recompute } from "./recompute.ts";

/** Low thresholds, so that usual days of the demo have insights. */
const thresholds: Partial<Record<InsightCode, number>> = {
  revenue_above_baseline: 1.1,
  returns_above_baseline: 1,
  voids_above_baseline: 1,
  outside_own_hours: 1,
  cash_share_changed: 1,
  equal_amounts: 1,
  large_cash_payment: 15_000,
  repeat_purchases: 2,
  unknown_customer_share: 1,
};

test("a program in Python finds the same insights in the lists of a demo business", async () => {
  const table = await createTestTable();
  const shop = await new InsightShop(table).open();
  const own = Object.entries(thresholds).map(([code, threshold]) => [
    code,
    { ...defaultInsightSettings[code as InsightCode], threshold },
  ]);
  await setInsightSettings(table, shop.spId, Object.fromEntries(own));
  const connection = { ...testConnection, crbId: demoBusinesses[0]?.record.id ?? "" };
  const world = worldOf({ ...connection, connectedAt: shop.clock.now().toISOString() }, 60);
  const population = sales.population(world);
  const made = Array.from({ length: population.initial }, (_, index) =>
    sales.record(world, { index, version: 0, tick: arrivalOf(population, index) }),
  );
  shop.pos.put("sale", ...made.filter(({ date }) => date < shop.clock.now().toISOString()));
  await shop.run();
  const { stored, computed } = await recompute(table, shop);
  expect(stored).toEqual(computed);
  expect(stored.some(([, , end]) => end === lastDay)).toBe(true);
  expect(new Set(stored.map(([code]) => code)).size).toBeGreaterThanOrEqual(5);
}, 600_000);
