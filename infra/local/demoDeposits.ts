import { setCashCount } from "../../shared/domain/deposits/cashCounts.ts";
import { readReconciliation } from "../../shared/domain/deposits/readReconciliation.ts";
import { readSettings } from "../../shared/domain/deposits/settings.ts";
import { storeDeposits } from "../../shared/domain/deposits/storeDeposits.ts";
import type { Table } from "../../shared/store/client.ts";
import { type CourierScript, deliver } from "./courier.ts";
import { demoBusinesses, demoServiceProvider } from "./demoBusinesses.ts";

/** The scripts of each demo business with sales: that of the earlier days, and that of the last days. */
export const demoCouriers: Readonly<Record<string, readonly [CourierScript, CourierScript]>> = {
  "High Country Remedies": ["daily", "loan"],
  "Lakeshore Provisioning": ["cashless_atm", "unexplained"],
  "Emerald Coast Distribution": ["weekdays", "keeps"],
};

/** Days of each script. */
const days = 45;

/**
 * Stores deposits and cash counts for the last 90 complete days of the demo businesses, unless an earlier start has stored some.
 * Requires their sales.
 */
export async function prepareDeposits(table: Table): Promise<void> {
  await Promise.all(
    demoBusinesses.map(async ({ record: { id: crbId, name } }) => {
      const scripts = demoCouriers[name] ?? [];
      const stored = await readSettings(table, crbId);
      if (stored.counts > 0 || scripts.length === 0) return;
      const owner = { spId: demoServiceProvider.id, crbId };
      const { days: sold } = await readReconciliation(table, crbId, { limit: scripts.length * days + 1 });
      const complete = sold.filter(({ complete }) => complete);
      const deliveries = scripts.flatMap((script, i) => {
        const [from, to] = [-(scripts.length - i) * days, -(scripts.length - i - 1) * days];
        const period = complete.slice(from, to || undefined);
        return period.length > 0 ? [deliver(script, period)] : [];
      });
      // Counts last, because a start that finds a count stores nothing.
      await storeDeposits(
        table,
        owner,
        deliveries.flatMap(({ deposits }) => deposits),
      );
      for (const { count } of deliveries) await setCashCount(table, owner, count);
    }),
  );
}
