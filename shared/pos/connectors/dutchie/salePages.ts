import * as z from "zod";
import { PosError, type PullPage } from "../../connector.ts";
import { posPath } from "../../framework/posPath.ts";
import { computeReadStart, createLastPage, parseState, planReadRange, rangeFields } from "../../framework/readRange.ts";
import { partitionRows, type ReadRow, readRow } from "../../framework/readRow.ts";
import type { PosSale } from "../../posRecords.ts";
import type { DutchiePull, DutchieStore } from "./dutchieApi.ts";
import { keyAt, keyOf } from "./inventory.ts";
import { transaction } from "./responses.ts";
import { type SaleContext, saleRecords } from "./sales.ts";

const hour = 60 * 60_000;
/** Maximum length of a window: Dutchie's 60 days, less an hour for the margin at both ends. */
const maxHours = 60 * 24 - 1;
/** No store has sales before this day. */
const beginningOfTime = Date.parse("2010-01-01T00:00:00Z");
/** Milliseconds by which a window is extended at both ends, because Dutchie's bounds may be exclusive. */
const margin = 1000;

const position = z.object({
  ...rangeFields,
  location: z.string(),
  /** in the history (newest first), the end of the next window; in changes (oldest first), its start */
  at: z.iso.datetime(),
  /** length of the next window, and the maximum length, both in hours */
  hours: z.number(),
  maxHours: z.number(),
  /** consecutive hours without transactions, in the history */
  emptyHours: z.number(),
});
type Position = z.output<typeof position>;

/**
 * Reads sales in windows of time, since transactions have no pages.
 *
 * - The first pull reads by date of sale, newest first, until `quietDays` days in a row have no sales. A sale that
 *   changes meanwhile gets a date of change after the pull's start, so the next pull finds it.
 * - Later pulls read by date of change, oldest first; the last window has no end. A sale that changes while a window is
 *   read gets a later date of change, so a later window or the next pull contains it.
 *
 * If the response for a window takes too long or is too large, the window is halved.
 *
 * @param quietDays the history ends after this many days without transactions
 */
export async function salePage(pull: DutchiePull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { stores, request, connection } = pull;
  const known = parseState(position, request.position);
  const found = stores.findIndex(({ store }) => store.locationid === known?.location);
  const state = known && found >= 0 ? known : beginning(pull, stores[0]);
  const at = Math.max(0, found);
  const { api, store } = stores[at] as DutchieStore;
  const location = store.locationid;
  const context = { ...connection, locationId: location };
  const rows = await api
    .rows(
      posPath`/reporting/transactions`,
      { ...boundsOf(state), IncludeDetail: true, IncludeTaxes: true, IncludeFeesAndDonations: true },
      (raw) => readSale(raw, context),
    )
    .catch((error) => {
      if (state.hours > 1 && isTooMuch(error)) return null;
      throw error;
    });
  if (rows === null) {
    const half = Math.max(1, Math.floor(state.hours / 2));
    return page([], [], { position: write({ ...state, hours: half, maxHours: half }) });
  }
  const { rows: sales, rejected } = partitionRows(rows.flat());
  const next = following(state, rows.length === 0, quietDays);
  if (next) return page(sales, rejected, { position: write(next) });
  const other = stores[at + 1];
  return page(sales, rejected, other ? { position: write(beginning(pull, other, state)) } : createLastPage(state));
}

/** Turns a transaction into a sale; returns nothing if it is not a sale of this connection. */
function readSale(raw: unknown, context: SaleContext): ReadRow<PosSale>[] {
  const found = readRow(transaction, raw, keyOf(context.locationId, "transactionId"));
  if ("rejected" in found) return [found];
  const made = saleRecords(found.row, context);
  const posId = keyAt(context.locationId, found.row.transactionId);
  return "reason" in made ? [{ rejected: { posId, ...made } }] : made.map((row) => ({ row }));
}

function beginning(
  pull: DutchiePull<"sale">,
  store: DutchieStore | undefined,
  reach = planReadRange(pull.request, pull.date, null),
): Position {
  const { upTo, mark, unsettled } = reach;
  // The history starts one day after the pull's time, because the clock of the POS may be ahead.
  const at = mark ? computeReadStart(mark.upTo) : new Date(Date.parse(upTo) + 24 * hour);
  return {
    upTo,
    mark,
    unsettled,
    location: store?.store.locationid ?? "",
    at: at.toISOString(),
    hours: 24,
    maxHours,
    emptyHours: 0,
  };
}

function boundsOf(state: Position) {
  const [from, to] = windowOf(state);
  const text = (instant: number) => new Date(instant).toISOString();
  if (!state.mark) return { FromDateUTC: text(from - margin), ToDateUTC: text(to + margin) };
  const isLast = to >= Date.parse(state.upTo);
  return { FromLastModifiedDateUTC: text(from - margin), ...(!isLast && { ToLastModifiedDateUTC: text(to + margin) }) };
}

function windowOf({ mark, at, hours }: Position): [number, number] {
  const instant = Date.parse(at);
  return mark ? [instant, instant + hours * hour] : [instant - hours * hour, instant];
}

/** The next window; undefined at the end. */
function following(state: Position, isEmpty: boolean, quietDays: number): Position | undefined {
  const [from, to] = windowOf(state);
  if (state.mark) {
    return to >= Date.parse(state.upTo) ? undefined : { ...state, at: new Date(to).toISOString() };
  }
  const emptyHours = isEmpty ? state.emptyHours + state.hours : 0;
  if (emptyHours >= quietDays * 24 || from < beginningOfTime) return undefined;
  // After an empty window, the next window is longer, so that a period without sales takes fewer requests.
  const hours = isEmpty ? Math.min(state.maxHours, state.hours * 2) : Math.min(24, state.hours);
  return { ...state, at: new Date(from).toISOString(), hours, emptyHours };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof PosError && (error.code === "timeout" || error.code === "too_large");
}

const write = (state: Position) => JSON.stringify(state);

function page(
  records: PullPage<"sale">["records"],
  rejected: PullPage<"sale">["rejected"],
  next: PullPage<"sale">["next"],
): PullPage<"sale"> {
  return { records, rejected, total: null, next, complete: false };
}
