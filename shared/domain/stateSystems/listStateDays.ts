import type * as z from "zod";
import { metrcCustomerTypes } from "../../api/enumerations.ts";
import type { reconciliationDaysQuery } from "../../api/parameters.ts";
import type { StateDay as StateDayRecord } from "../../api/schemas/stateSystem.ts";
import type { History, InsightFigures } from "../../insights/history.ts";
import { basisValue, type StateBasis, varianceOf, variancePercent } from "../../insights/stateCodes.ts";
import type { StateDay } from "../../pos/metrc/stateDay.ts";
import type { Table } from "../../store/client.ts";
import type { CrbNames } from "../../store/crbLicenses.ts";
import { lastKeyOf } from "../../store/keys/key.ts";
import { stateDayKey, stateDaysPartition } from "../../store/keys/stateSystems.ts";
import { type CursorPage, cursorPage, placeOfCursor } from "../../store/pageCursor.ts";
import { readStateConnections, type StateConnections } from "../../store/stateConnections.ts";
import { readStateDays, type StateDayItem, toStateDayItem } from "../../store/stateDays.ts";
import { readLinkedNumbers } from "../linkedLicenses/readLinkedNumbers.ts";
import { readSalesDays } from "../replication/readSalesDays.ts";
import { sumStateDays } from "./sumStateDays.ts";

type Window = z.output<typeof reconciliationDaysQuery>;

const rankOf = ({ crb_id, date, license_number }: StateDayRecord): string =>
  stateDayKey(crb_id, date, license_number).sk;

/**
 * Reads a page of a CRB's state days, newest day first, next to its sales days (docs/spec.md#state-days).
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is of another list; "notFound" if the CRB does not exist;
 *   "unavailable" if its list of sales has no totals
 */
export async function listStateDays(table: Table, crb: CrbNames, query: Window): Promise<CursorPage<StateDayRecord>> {
  const { limit, start_date = "0000-01-01", end_date = "9999-12-31" } = query;
  const list = stateDaysPartition(crb.crbId);
  const after = placeOfCursor(list, query.cursor);
  const [to = ""] = [lastKeyOf(end_date), ...(after ? [after] : [])].sort();
  // A cursor of an earlier request may lie before the window.
  if (start_date > to) return cursorPage(list, [], query, rankOf);
  // One more shows whether there is another page, and one more is the last day of the previous page.
  const items = await table.queryPartition(list, { from: start_date, to, newestFirst: true, limit: limit + 2 });
  const read = items.filter(({ sk }) => sk !== after).map(toStateDayItem);
  const records = await compareStateDays(table, crb, read);
  return cursorPage(list, records, query, rankOf);
}

/** The records of stored days, in their order, next to the sales days. */
export async function compareStateDays(
  table: Table,
  crb: CrbNames,
  days: readonly StateDayItem[],
): Promise<StateDayRecord[]> {
  const { crbId } = crb;
  const dates = days.map(({ day }) => day.date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  // The page may begin or end within the licenses of a day.
  const [all, connections, history, linked] = await Promise.all([
    readStateDays(table, crbId, [first, last]),
    readStateConnections(table, crbId),
    readHistory(table, crbId, [first, last]),
    readLinkedNumbers(table, crb),
  ]);
  const totals = sumStateDays(all, connections, linked);
  return days.map((each) => toStateDay(crbId, each as StateDayItem<StateDay>, { connections, totals, history }));
}

/** The complete sales days of a window, both inclusive. */
export async function readHistory(
  table: Table,
  crbId: string,
  [start_date, end_date]: readonly [from: string, to: string],
): Promise<History> {
  const { days } = await readSalesDays(table, crbId, { start_date, end_date, offset: 0, limit: maxDays });
  return new Map(
    days
      .filter(({ complete }) => complete)
      .map(({ date, total_paid, subtotal, unknown_totals, unknown_subtotals }) => [
        date,
        { figures: { total_paid, subtotal, unknown_totals, unknown_subtotals } },
      ]),
  );
}

/** More days than any CRB has. */
const maxDays = 100_000;

interface Comparison {
  connections: StateConnections;
  totals: ReadonlyMap<string, number>;
  history: History;
}

function toStateDay(
  crbId: string,
  { licenseNumber, system, day }: StateDayItem<StateDay>,
  { connections: { basis }, totals, history }: Comparison,
): StateDayRecord {
  const { date, receipts, voided, total, by_customer_type: sums, dataAsOf, complete, digest } = day;
  const figures = history.get(date)?.figures;
  const sum = totals.get(date);
  const compare = <Result>(of: (sum: number, figures: InsightFigures, basis: StateBasis) => Result) =>
    figures && basis && sum !== undefined ? of(sum, figures, basis) : null;
  return {
    crb_id: crbId,
    date,
    license_number: licenseNumber,
    system,
    receipts,
    voided,
    total,
    by_customer_type: metrcCustomerTypes.flatMap((type) => {
      const ofType = sums[type];
      return ofType ? [{ type, receipts: ofType.receipts, total: ofType.total }] : [];
    }),
    data_as_of: dataAsOf,
    complete,
    digest,
    pos_total: figures ? basisValue(figures, "pos_total") : null,
    pos_subtotal: figures ? basisValue(figures, "pos_subtotal") : null,
    variance: compare(varianceOf),
    variance_percent: compare(variancePercent),
    basis,
  };
}
