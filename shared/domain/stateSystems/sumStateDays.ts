import type { StateConnections } from "../../store/stateConnections.ts";
import type { StateDayItem } from "../../store/stateDays.ts";
import { haveAllSales, type LinkedNumber } from "../linkedLicenses/readLinkedNumbers.ts";

/**
 * The sums over all licenses by day. A day counts only if it is complete for each connected license, and for each other one
 * under which the business may have sold. So a later connection makes no variance before it, and a missing one makes none.
 * Totals of a license that is neither connected nor linked any more may be those of another business.
 *
 * @param linked the linked licenses
 */
export function sumStateDays(
  days: readonly StateDayItem[],
  { licenses }: Pick<StateConnections, "licenses">,
  linked: readonly LinkedNumber[],
): Map<string, number> {
  const connected = Object.keys(licenses);
  const own = new Set([...connected, ...linked.map(({ number }) => number)]);
  const byDate = Map.groupBy(days, ({ day }) => day.date);
  return new Map(
    [...byDate].flatMap(([date, ofDay]): [string, number][] => {
      const numbers = ofDay.map(({ licenseNumber }) => licenseNumber);
      const isComplete =
        ofDay.every(({ day, licenseNumber }) => day.complete && own.has(licenseNumber)) &&
        connected.every((number) => numbers.includes(number)) &&
        haveAllSales(numbers, linked, date);
      return isComplete ? [[date, ofDay.reduce((sum, { day }) => sum + day.total, 0)]] : [];
    }),
  );
}
