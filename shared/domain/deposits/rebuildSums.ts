import { type Table, toItem } from "../../store/client.ts";
import { depositPartition, reconciledCrbKey, reconciliationSettingsKey } from "../../store/keys/deposits.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { changedDay } from "./changeSums.ts";
import { noSums, withDays, yearOf, yearWrite } from "./daySums.ts";
import { readYears } from "./readReconciliation.ts";
import { DayChanges, toStored } from "./storedDeposit.ts";

/**
 * Computes the daily sums of a CRB again from its deposits, and corrects the numbers of deposits and cash counts. A restore may
 * lose parts of a transaction. Cash counts are stored only with the days. No caller may change deposits meanwhile.
 *
 * @returns the number of deposits
 */
export async function rebuildSums(table: Table, crbId: string, clock: Clock): Promise<number> {
  const found = new DayChanges();
  let deposits = 0;
  for await (const part of table.queryParts(depositPartition(crbId), { consistent: true })) {
    deposits += part.length;
    for (const item of part) found.add(toStored(toItem(item)).deposit);
  }
  const expected = found.days;
  return retryOnConflict(clock, async () => {
    const { years, settings } = await readYears(table, crbId, {
      from: "0000",
      to: reconciliationSettingsKey(crbId).sk,
    });
    const days = new Set([...expected.keys(), ...[...years.values()].flatMap((year) => [...year.days.keys()])]);
    const byYear = Map.groupBy(days, yearOf);
    for (const [year, own] of byYear) {
      const stored = years.get(year) ?? { year, version: 0, days: new Map() };
      const changed = own.flatMap((day) => {
        const before = stored.days.get(day) ?? noSums;
        const ofDeposits = (expected.get(day) ?? ((sums) => sums))({ ...before, cash: 0, cashDeposits: 0, card: 0 });
        return changedDay(day, before, () => ofDeposits);
      });
      if (changed.length > 0) await table.transact([yearWrite(table, crbId, withDays(stored, changed))]);
    }
    const counts = [...years.values()].flatMap((year) => [...year.days.values()]).filter(({ count }) => count !== null);
    const isRight = settings.deposits === deposits && settings.counts === counts.length;
    if (!isRight) await table.update(reconciliationSettingsKey(crbId), { deposits, counts: counts.length });
    if (settings.isStored || !isRight) await table.put({ ...reconciledCrbKey(crbId) });
    return deposits;
  });
}
