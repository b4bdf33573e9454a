import type { PullPage, RejectedPosRecord } from "../connector.ts";
import type { PosSale } from "../posRecords.ts";
import { below, posPath } from "../reading/posPath.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { ticket } from "./answers.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { fateOf, saleRecord } from "./sales.ts";
import type { TreezPull } from "./treezPull.ts";

/** By the day on which they were closed. */
export const tickets: DatedList = {
  sliceDays: 1,
  // Treez tells of 30 days; a day less, for clocks that differ.
  mostDaysBack: 29,
  changes: (since, { changedTickets }) => below(changedTickets, posPath`/${since}`),
  history: (_, day) => ({
    path: posPath`/ticket/closedate/${day}`,
    query: { hide_empty_tickets: true },
  }),
  rowsIn: ({ ticketList }) => ticketList,
  idField: "ticket_id",
};

/**
 * Sales, page by page. At first by the day on which tickets were closed, until so long nothing was sold; then those
 * changed since the last pull. Changed tickets come newest first: while they are read, new ones push older ones back,
 * which only repeats them, and one that changes again is dated after this pull's beginning, so that the next pull finds
 * it.
 */
export async function salePage(pull: TreezPull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { rows, next } = await nextRows(pull, tickets, quietDays);
  return { ...(await recordsOf(pull.request, rows)), total: null, next, complete: false };
}

async function recordsOf(request: TreezPull<"sale">["request"], raw: readonly unknown[]) {
  const found = parted(raw.map((row) => readRow(ticket, row, (field) => field("ticket_id"))));
  const canceled = found.rows.filter((row) => fateOf(row) === "canceled").map(({ ticket_id }) => ticket_id);
  const stored = canceled.length > 0 ? await request.known?.(canceled) : undefined;
  const records: PosSale[] = [];
  const rejected: RejectedPosRecord[] = [...found.rejected];
  for (const row of found.rows) {
    const fate = fateOf(row);
    if (fate === "none" || (fate === "canceled" && !stored?.has(row.ticket_id))) continue;
    const record = saleRecord(row);
    if (record) records.push(record);
    else rejected.push({ posId: row.ticket_id, field: "date_closed", reason: "no_instant" });
  }
  return { records, rejected };
}
