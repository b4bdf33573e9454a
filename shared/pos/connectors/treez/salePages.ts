import type { PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { below, posPath } from "../../framework/posPath.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { ticket } from "./responses.ts";
import { isCanceled, saleRecords } from "./sales.ts";
import type { TreezPull } from "./treezPull.ts";

/** By the day on which they were closed. */
export const tickets: DatedList = {
  sliceDays: 1,
  // Treez tells of 30 days; a day less, for clocks that differ.
  maxDaysBack: 29,
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
  const found = await makeRecords(pull.request, rows, {
    schema: ticket,
    posIdOf: (field) => field("ticket_id"),
    make: saleRecords,
    undoes: isCanceled,
  });
  return { ...found, total: null, next, complete: false };
}
