import type { StateConnections } from "../../store/stateConnections.ts";
import type { StateDayItem } from "../../store/stateDays.ts";
import { haveAllSales, type SellingLicense } from "../linkedLicenses/readSellingLicenses.ts";

/**
 * The sums over all licenses by day. A day counts only if it is complete for each connected license, and for each other one
 * under which the business may have sold. So a later connection makes no variance before it, and a missing one makes none.
 *
 * @param selling the linked licenses
 */
export function sumStateDays(
  days: readonly StateDayItem[],
  { licenses }: Pick<StateConnections, "licenses">,
  selling: readonly SellingLicense[],
): Map<string, number> {
  const connected = Object.keys(licenses);
  const byDate = Map.groupBy(days, ({ day }) => day.date);
  return new Map(
    [...byDate].flatMap(([date, ofDay]): [string, number][] => {
      const numbers = ofDay.map(({ licenseNumber }) => licenseNumber);
      const isComplete =
        ofDay.every(({ day }) => day.complete) &&
        connected.every((number) => numbers.includes(number)) &&
        haveAllSales(numbers, selling, date);
      return isComplete ? [[date, ofDay.reduce((sum, { day }) => sum + day.total, 0)]] : [];
    }),
  );
}
