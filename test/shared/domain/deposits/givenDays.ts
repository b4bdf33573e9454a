import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { salesTotalsPartition } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import type { DayFigures } from "../../../../shared/store/salesDays/dayFigures.ts";
import {
  loadSalesWeeks,
  mondayOf,
  raiseVersion,
  type SalesWeek,
  setDay,
  totalsOf,
  weekWrite,
} from "../../../../shared/store/salesDays/salesWeek.ts";
import { addDays } from "../../../../shared/time/addDays.ts";

/** Cents by means of payment, and the number of sales without a total. */
export type Paid = Partial<Record<"cash" | "debit" | "credit" | "multiple" | "other" | "unknown" | "unstated", number>>;

/** Figures of a day with one sale for each means of payment. */
export const figuresOf = ({ unstated, ...paid }: Paid): DayFigures => ({
  unknown_totals: unstated ?? 0,
  unknown_paid_amounts: unstated ?? 0,
  records: Object.keys(paid).length,
  total_paid: Object.values(paid).reduce((sum, amount) => sum + amount, 0),
  ...Object.fromEntries(
    Object.entries(paid).flatMap(([type, amount]) => [
      [`${type}.payments`, 1],
      [`${type}.amount`, amount],
    ]),
  ),
});

/**
 * Stores sales days as a worker does that has read all sales until `until`. Days up to then are complete.
 *
 * @param paid the payments by day; a complete day without payments has none
 * @param until the last complete day, yyyy-MM-dd
 */
export async function storeSalesDays(
  table: Table,
  crbId: string,
  paid: Readonly<Record<string, Paid>>,
  until: string,
): Promise<void> {
  const partition = salesTotalsPartition(crbId);
  const at = `${addDays(until, 1)}T12:00:00.000Z`;
  for (const [monday, days] of Map.groupBy(Object.entries(paid), ([day]) => mondayOf(day))) {
    const before = (await loadSalesWeeks(table, partition, [monday])).get(monday) as SalesWeek;
    let week = raiseVersion(before);
    for (const [day, payments] of days) {
      const completedAt = day <= until ? at : null;
      const { completedAt: earlier, revision, ...totals } = totalsOf(before, day);
      week = setDay(week, day, {
        ...totals,
        figures: figuresOf(payments),
        updatedAt: at,
        completedAt: earlier ?? completedAt,
        revision: earlier === null ? 0 : revision + 1,
      });
    }
    await table.transact([weekWrite(table, partition, week)]);
  }
  const state = {
    fence: 1,
    first_succeeded_at: "2026-01-15T08:00:00.000Z",
    data_as_of: at,
    timezone: "America/Denver",
  };
  await table.put({ ...replicationKey(crbId, "sale"), ...state, sales_days_completed: { until, at } });
  await changeCrb(table, crbId, (crb) => ({
    ...crb,
    connection: crb.connection ?? { posType: "Treez", locationId: null, connectedAt: "2026-01-15T00:00:00.000Z" },
  }));
}

/** The days from a first one, yyyy-MM-dd. */
export const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => addDays(first, i));
