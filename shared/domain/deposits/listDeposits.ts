import type * as z from "zod";
import type { bankDaysQuery } from "../../api/parameters.ts";
import type { CashCount, Deposit } from "../../api/schemas/deposit.ts";
import type { Table } from "../../store/client.ts";
import { depositPartition, reconciliationPartition } from "../../store/keys/deposits.ts";
import { lastKeyOf } from "../../store/keys/key.ts";
import { type CursorPage, cursorPage, placeOfCursor } from "../../store/pageCursor.ts";
import { toYear, yearOf } from "./daySums.ts";
import { rankOf, toStored } from "./storedDeposit.ts";

type Window = z.output<typeof bankDaysQuery>;

/**
 * Reads a page of a CRB's deposits, those of the newest day first. The read is eventually consistent.
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is of another list
 */
export async function listDeposits(table: Table, crbId: string, query: Window): Promise<CursorPage<Deposit>> {
  const { limit, start_date = "0000-01-01", end_date = "9999-12-31" } = query;
  const list = depositPartition(crbId);
  const after = placeOfCursor(list, query.cursor);
  const [to = ""] = [lastKeyOf(end_date), ...(after ? [after] : [])].sort();
  // A cursor of an earlier request may lie before the window.
  if (start_date > to) return cursorPage(list, [], query, rankOf);
  // One more shows whether there is another page, and one more is the last deposit of the previous page.
  const bounds = { from: start_date, to, newestFirst: true, limit: limit + 2 };
  const items = await table.queryPartition(list, { index: "byRank", ...bounds });
  const read = items.map((item) => toStored(item).deposit).filter((each) => rankOf(each) !== after);
  return cursorPage(list, read, query, rankOf);
}

/**
 * Reads a page of a CRB's cash counts, the newest day first. The read is consistent.
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is of another list
 */
export async function listCashCounts(table: Table, crbId: string, query: Window): Promise<CursorPage<CashCount>> {
  const { start_date = "0000-01-01", end_date = "9999-12-31" } = query;
  const list = `${reconciliationPartition(crbId)}#COUNTS`;
  const after = placeOfCursor(list, query.cursor) ?? "9999-99";
  if (start_date > after) return cursorPage(list, [], query, ({ date }) => date);
  const years = { from: yearOf(start_date), to: [yearOf(end_date), yearOf(after)].sort()[0] };
  const items = await table.queryPartition(reconciliationPartition(crbId), { ...years, consistent: true });
  const counts = items
    .flatMap((item) => [...toYear(item).days])
    .flatMap(([date, { count }]) => (count === null ? [] : [{ date, amount: count }]))
    .filter(({ date }) => date >= start_date && date <= end_date && date < after)
    .sort((one, other) => (one.date < other.date ? 1 : -1));
  return cursorPage(list, counts, query, ({ date }) => date);
}
