import type { PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { below, posPath } from "../../framework/posPath.ts";
import { type DatedList, nextRows } from "./datedList.ts";
import { ticket } from "./responses.ts";
import { isCanceled, saleRecords } from "./sales.ts";
import type { TreezPull } from "./treezPull.ts";

/** The list of tickets, by closing day. */
export const tickets: DatedList = {
  sliceDays: 1,
  // Treez reports changes for 30 days; one day is subtracted because clocks may differ.
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
 * Reads a page of sales. The first pull reads by the closing day of tickets, newest first, until `quietDays` days have
 * no sales. Later pulls read the changed tickets. Treez lists these tickets newest first, so a ticket that changes
 * during the pull shifts older tickets to later pages. Rows then repeat, but no row is missed. The changed ticket gets
 * a date of change after the pull's start, so the next pull finds it.
 */
export async function salePage(pull: TreezPull<"sale">): Promise<PullPage<"sale">> {
  const { rows, next } = await nextRows(pull, tickets);
  const found = await makeRecords(pull.request, rows, {
    schema: ticket,
    posIdOf: tickets.idField,
    make: saleRecords,
    undoes: isCanceled,
  });
  return { ...found, total: null, next, complete: false };
}
