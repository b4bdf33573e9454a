import type { StateSystem } from "../api/enumerations.ts";
import type { Item, Table } from "./client.ts";
import { afterTime, lastKeyOf } from "./keys/key.ts";
import { stateDayKey, stateDaysPartition } from "./keys/stateSystems.ts";
import type { StateConnections } from "./stateConnections.ts";

/** The totals of a license on one day, as stored. `Day` is the type of the reader's result. */
export interface StateDayItem<Day extends StateDayTotals = StateDayTotals> {
  licenseNumber: string;
  system: StateSystem;
  day: Day;
  /** What a later reading must confirm; absent if nothing waits. */
  unconfirmed?: unknown;
}

/** The part of a day that comparisons read. */
interface StateDayTotals {
  /** yyyy-MM-dd */
  date: string;
  /** cents */
  total: number;
  complete: boolean;
}

/** A day is stored as text: DynamoDB does not keep the order of fields, and an equal response must have an equal text. */
export const toStateDayItem = ({ sk, system, content }: Item) =>
  ({ licenseNumber: afterTime(sk), system, ...JSON.parse(content as string) }) as StateDayItem;

export function stateDayItem(crbId: string, { licenseNumber, system, day, unconfirmed }: StateDayItem): Item {
  const content = JSON.stringify({ day, ...(unconfirmed !== undefined && { unconfirmed }) });
  return { ...stateDayKey(crbId, day.date, licenseNumber), system, content };
}

/** Reads the days of a window, both inclusive, of all licenses of a CRB, in their order. */
export async function readStateDays(
  table: Table,
  crbId: string,
  [from, to]: readonly [from: string, to: string],
  { consistent = false }: { consistent?: boolean } = {},
): Promise<StateDayItem[]> {
  const items = await table.queryPartition(stateDaysPartition(crbId), { from, to: lastKeyOf(to), consistent });
  return items.map(toStateDayItem);
}

/** A linked license under which a business may sell to consumers. */
export interface SellingLicense {
  /** null if the register has none */
  number: string | null;
  /** the first day on which it does not permit business; null if no such day is certain */
  endedOn: string | null;
}

/** Whether all sales of a day are under some licenses, as far as linked licenses say. */
export const haveAllSales = (numbers: readonly string[], selling: readonly SellingLicense[], date: string): boolean =>
  selling.every(
    ({ number, endedOn }) => (endedOn !== null && endedOn <= date) || (number !== null && numbers.includes(number)),
  );

/**
 * The sums over all licenses, of the days that every connected license has complete, and every other one under which the business
 * may have sold: a later connection makes no variance before it, and a license without a connection makes none at all.
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
