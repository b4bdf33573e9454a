import * as z from "zod";
import type { PullPage } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import { detectFirstPage } from "../../framework/detectFirstPage.ts";
import { continueTraversal, type FetchPage, pageTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { computeReadStart, createLastPage, parseState, planReadRange, rangeFields } from "../../framework/readRange.ts";
import { partitionRows, readRow, readRows } from "../../framework/readRow.ts";
import { type CustomerContext, customerRecord } from "./customers.ts";
import { type DutchieApi, type DutchiePull, type DutchieStore, locationsOf } from "./dutchieApi.ts";
import { loyaltyPoints, unknownPoints } from "./loyaltyPoints.ts";
import { type CustomerTypes, customer, customerType } from "./responses.ts";

const position = z.object({
  ...rangeFields,
  location: z.string(),
  walk: pageTraversal,
  /** whether to read loyalty points: true in a pull of all customers, until the report of points fails */
  withPoints: z.boolean(),
  /** the number of the first page of the location's list; null until detected */
  first: z.literal([0, 1]).nullable(),
});
type Position = z.output<typeof position>;

/** Customers per page. Dutchie's OpenAPI document guarantees larger pages, but Dutchie's guide does not. */
const pageSize = 100;
/** A change of loyalty points does not change the customer's date of change, so a pull reads all customers once a day. */
const fullEveryDays = 1;

/**
 * Reads pages of customers, one location after the other. A pull reads the customers changed since the last pull; once
 * a day, a pull reads all customers. An empty page ends a list. Dutchie does not document the order of customers, so
 * the traversal checks that each page continues the previous one.
 *
 * Only pulls of all customers read loyalty points. If the report of points fails, the pull continues without it, and
 * stored points stay unchanged. The next pull of all customers, a day later, requests the report again. It is not
 * requested earlier, because Dutchie calculates points at night and limits requests for the report.
 */
export function customerPages(): (pull: DutchiePull<"customer">) => Promise<PullPage<"customer">> {
  const pointsOf = loyaltyPoints();
  const typesOfLocations = new AsyncCache<CustomerTypes>(4, 15 * 60_000);
  return async (pull) => {
    const { stores, request } = pull;
    const known = parseState(position, request.position);
    const found = stores.findIndex(({ store }) => store.locationid === known?.location);
    const state = known && found >= 0 ? known : beginning(pull);
    const at = Math.max(0, found);
    const { api } = stores[at] as DutchieStore;
    state.first ??= await detectFirstPage((number) => customersOf(api, state, number, pageSize), idOf, ["400"]);
    const { rows, next } = await continueTraversal(state.walk, fetchPage(api, state), idOf);
    const types = await typesOfLocations.get(locationsOf(pull), () => readTypes(pull));
    // The report is read last: if a later step failed, the repeated page would request the report again.
    const points = state.withPoints && rows.length > 0 ? await pointsOf(pull, state.upTo) : unknownPoints;
    const context: CustomerContext = { types, pointsOf: points ?? unknownPoints };
    const { rows: records, rejected } = readRows(customer, rows, "customerId", (row) => customerRecord(row, context));
    const left = { ...state, withPoints: state.withPoints && points !== null };
    const following = stores[at + 1];
    return {
      records,
      rejected,
      total: null,
      next: next
        ? { position: write({ ...left, walk: next }) }
        : following
          ? { position: write({ ...left, ...listOf(following) }) }
          : createLastPage(left),
      complete: false,
    };
  };
}

function beginning(pull: DutchiePull<"customer">): Position {
  const reach = planReadRange(pull.request, pull.date, fullEveryDays);
  return { ...reach, ...listOf(pull.stores[0]), withPoints: reach.mark === null };
}

/** The position at the beginning of a location's list. */
function listOf(store: DutchieStore | undefined): Pick<Position, "location" | "walk" | "first"> {
  return { location: store?.store.locationid ?? "", walk: readFromStart(pageSize), first: null };
}

const write = (state: Position) => JSON.stringify(state);

const idOf = (row: unknown) => String((row as { customerId?: unknown } | null)?.customerId);

function fetchPage(api: DutchieApi, state: Position): FetchPage {
  return async (index, size) => ({ rows: await customersOf(api, state, index + (state.first ?? 0), size) });
}

/** Reads a page of a location's customers. `PageNumber` is Dutchie's page number, which starts at 0 or 1. */
function customersOf(api: DutchieApi, { mark }: Position, PageNumber: number, PageSize: number): Promise<unknown[]> {
  const changed = mark && { fromLastModifiedDateUTC: computeReadStart(mark.upTo).toISOString() };
  const query = { ...changed, PageNumber, PageSize, includeAnonymous: true };
  return readFirstPermitted([
    () => api.rows(posPath`/reporting/customers-paginated`, query, (row) => row),
    () => api.rows(posPath`/customer/customers-paginated`, query, (row) => row),
  ]);
}

/** Reads the customer types of all locations, because locations share customers. */
async function readTypes({ stores }: DutchiePull<"customer">): Promise<CustomerTypes> {
  const types = [];
  for (const { api } of stores) {
    const rows = await readFirstPermitted([
      () => api.rows(posPath`/customer/customer-types`, {}, (row) => readRow(customerType, row, "id")),
      async () => [],
    ]);
    types.push(...partitionRows(rows).rows);
  }
  return types;
}
