import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { exists, type Table, toItem } from "../../store/client.ts";
import { depositPartition, reconciledCrbKey, reconciliationSettingsKey } from "../../store/keys/deposits.ts";
import { restoringKey } from "../../store/keys/replication.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { changedDay } from "./changeSums.ts";
import { noSums, withDays, yearOf, yearWrite } from "./daySums.ts";
import { readYears } from "./readReconciliation.ts";
import { DayChanges, toStored } from "./storedDeposit.ts";

/**
 * Computes the daily sums of a CRB again from its deposits, and corrects the numbers of deposits and cash counts. A restore may
 * lose parts of a transaction. Cash counts are stored only with the days. Writes only while the CRB is being restored, so no caller
 * changes deposits meanwhile, and none of it is written after a purge.
 *
 * @returns the number of deposits
 */
export async function rebuildSums(table: Table, crbId: string, clock: Clock): Promise<number> {
  const isClosed = table.checkWrite(restoringKey(crbId), exists);
  const commit = (writes: TransactWriteItem[]) =>
    table.transact([isClosed, ...writes]).catch((error) => {
      if (!isUnmet(error, 0)) throw error;
    });
  return retryOnConflict(clock, async () => {
    const found = new DayChanges();
    let deposits = 0;
    for await (const part of table.queryParts(depositPartition(crbId), { consistent: true })) {
      deposits += part.length;
      for (const item of part) found.add(toStored(toItem(item)).deposit);
    }
    const expected = found.days;
    const settingsKey = reconciliationSettingsKey(crbId);
    const { years, settings } = await readYears(table, crbId, { from: "0000", to: settingsKey.sk });
    const days = new Set([...expected.keys(), ...[...years.values()].flatMap((year) => [...year.days.keys()])]);
    for (const [year, own] of Map.groupBy(days, yearOf)) {
      const stored = years.get(year) ?? { year, version: 0, days: new Map() };
      const changed = own.flatMap((day) => {
        const before = stored.days.get(day) ?? noSums;
        const ofDeposits = (expected.get(day) ?? ((sums) => sums))({ ...before, cash: 0, cashDeposits: 0, card: 0 });
        return changedDay(day, before, () => ofDeposits);
      });
      if (changed.length > 0) await commit([yearWrite(table, crbId, withDays(stored, changed))]);
    }
    const counted = [...years.values()]
      .flatMap((year) => [...year.days.values()])
      .filter(({ count }) => count !== null);
    const numbers = { deposits, counts: counted.length };
    const isRight = settings.deposits === deposits && settings.counts === numbers.counts;
    const listing = table.putWrite({ ...reconciledCrbKey(crbId) });
    if (!isRight) await commit([listing, table.setWrite(settingsKey, numbers)]);
    else if (settings.isStored) await commit([listing]);
    return deposits;
  });
}
