import type { StateSystem } from "../api/enumerations.ts";
import type { Item, Table } from "./client.ts";
import { afterTime, lastKeyOf } from "./keys/key.ts";
import { stateDayKey, stateDaysPartition } from "./keys/stateSystems.ts";

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
