import { notFound } from "../../api/errors.ts";
import type { CashCount } from "../../api/schemas/deposit.ts";
import type { Table } from "../../store/client.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { changeSums, countLimit, maxCashCounts } from "./changeSums.ts";
import { type DaySums, loadYears, yearOf } from "./daySums.ts";
import { type DepositOwner, listingWrites, readSettings } from "./settings.ts";

/**
 * Stores the count of a day, or replaces it. Writes nothing if the stored count is equal.
 *
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number of
 *   counts
 */
export async function setCashCount(
  table: Table,
  owner: DepositOwner,
  { date, amount }: CashCount,
  clock: Clock = systemClock,
): Promise<CashCount> {
  return retryOnConflict(clock, async () => {
    const [before, settings] = await Promise.all([readCount(table, owner, date), readSettings(table, owner.crbId)]);
    if (before !== amount) {
      const counts = Number(before === null);
      if (settings.counts + counts > maxCashCounts) throw countLimit();
      const writes = listingWrites(table, owner.crbId, settings);
      await changeSums(table, owner, { writes, days: countChange(date, before, amount), counts });
    }
    return { date, amount };
  });
}

/**
 * Deletes the count of a day.
 *
 * @returns the count as it was stored
 * @throws ServiceError "notFound" if the day has none, or the association of the CRB has ended
 */
export async function deleteCashCount(
  table: Table,
  owner: DepositOwner,
  date: string,
  clock: Clock = systemClock,
): Promise<CashCount> {
  return retryOnConflict(clock, async () => {
    const amount = await readCount(table, owner, date);
    if (amount === null) throw notFound("cash count");
    await changeSums(table, owner, { writes: [], days: countChange(date, amount, null), counts: -1 });
    return { date, amount };
  });
}

async function readCount(table: Table, { crbId }: DepositOwner, date: string): Promise<number | null> {
  const year = (await loadYears(table, crbId, [yearOf(date)])).get(yearOf(date));
  return year?.days.get(date)?.count ?? null;
}

/** The change of a day whose count was `before`. */
function countChange(date: string, before: number | null, to: number | null) {
  const change = (sums: DaySums): DaySums => {
    if (sums.count !== before) throw new StaleReadError("The count has changed meanwhile.");
    return { ...sums, count: to };
  };
  return new Map([[date, change]]);
}
