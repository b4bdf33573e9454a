import * as z from "zod";
import { localDay } from "../../../time/localTime.ts";
import type { PullPage } from "../../connector.ts";
import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import {
  type DayTraversal,
  daysSince,
  dayTraversal,
  readNextDayPage,
  wholeHistory,
} from "../../framework/dayTraversal.ts";
import { rejectPrematureEnd } from "../../framework/pagedList.ts";
import { continueTraversal, type PageTraversal, pageTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import { isPathPart } from "../../framework/posPath.ts";
import {
  computeReadEnd,
  createLastPage,
  daysAfter,
  parseState,
  rangeFields,
  usableWatermark,
} from "../../framework/readRange.ts";
import { mapRow, partitionRows, posIdIn, type ReadRow, readRow } from "../../framework/readRow.ts";
import { remainingMs } from "../../framework/remainingMs.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { emptyCustomer, type PosCustomer } from "../../posRecords.ts";
import { type FlowhubPull, rowsOfStore } from "./flowhubApi.ts";
import { orderDays } from "./orderDays.ts";
import { type Customer, customer } from "./responses.ts";

const ordersAtOnce = 500;
/** Orders per page if customers are read by id: each order may name a customer that needs a separate request. */
const ordersOneByOne = 100;
const changesAtOnce = 500;
/** How many days back the pull searches orders for unknown customers. */
const rereadDays = 3;

const position = z.object({
  ...rangeFields,
  /** whether the customers whom orders name are read by id, one after the other */
  oneByOne: z.boolean(),
  /** ids of customers whom earlier orders named and who are not yet read */
  unread: z.array(z.string()),
  at: z.discriminatedUnion("phase", [
    z.object({ phase: z.literal("orders"), walk: dayTraversal }),
    z.object({ phase: z.literal("changes"), walk: pageTraversal }),
  ]),
});
type Position = z.output<typeof position>;

/** Maximum number of first pulls whose customer ids a process keeps in memory. */
const maxPulls = 8;

/**
 * Reads customers. Flowhub lists the customers of all stores of its client, but a CRB is one store. So a pull first
 * collects the customers whom the store's orders name. It then reads the list of customers (the whole list at first,
 * later its changes) and keeps the customers whom these orders name, and the customers who are already stored. A
 * customer who changes between the two steps gets a date of change after the pull's start, so the next pull finds the
 * change.
 *
 * Later pulls read the new customers of the latest orders by id. The first pull finds too many customers for this
 * method. It keeps the customers' ids in memory and takes the customers from the list. If its process ends before the
 * list is read, another process starts again with the orders and reads each customer by id.
 */
export class CustomerPages {
  /** the ids of the customers whom orders name, for each running first pull */
  readonly #named = new Map<string, Set<string>>();

  async page(pull: FlowhubPull<"customer">, quietDays: number): Promise<PullPage<"customer">> {
    const { connection, request } = pull;
    const key = `${connection.crbId} ${request.now.toISOString()}`;
    const state = this.#stateOf(pull, key);
    const named = state.oneByOne ? undefined : this.#named.get(key);
    const { found, at, unread, foreign } = await stepOf(pull, state, quietDays, named);
    if (!at) this.#named.delete(key);
    const { rows, rejected } = partitionRows(found);
    return {
      records: rows,
      rejected,
      ...(foreign !== undefined && { foreign }),
      total: null,
      next: at ? { position: JSON.stringify({ ...state, at, unread } satisfies Position) } : createLastPage(state),
      complete: false,
    };
  }

  #stateOf(pull: FlowhubPull<"customer">, key: string): Position {
    const known = parseState(position, pull.request.position);
    if (known && (known.oneByOne || this.#named.has(key))) return known;
    if (known) return { ...known, ...beginning(pull, true), upTo: known.upTo };
    const state = beginning(pull, false);
    if (!state.oneByOne) this.#named.set(key, new Set());
    for (const oldest of [...this.#named.keys()].slice(0, -maxPulls)) this.#named.delete(oldest);
    return state;
  }
}

function beginning({ request, date, timezone }: FlowhubPull<"customer">, isSecond: boolean): Position {
  const upTo = computeReadEnd(request, date);
  const mark = usableWatermark(request.since, request.now);
  const oneByOne = isSecond || mark !== null;
  const pageSize = oneByOne ? ordersOneByOne : ordersAtOnce;
  const walk = mark
    ? daysSince(daysAfter(mark.upTo, -rereadDays), upTo, timezone, pageSize)
    : wholeHistory(upTo, timezone, pageSize);
  return { upTo, mark, oneByOne, unread: [], at: { phase: "orders", walk } };
}

interface Step {
  found: ReadRow<PosCustomer>[];
  /** the next position; null at the end */
  at: Position["at"] | null;
  /** ids of customers, found in orders, that must be read before the pull continues at `at` */
  unread: string[];
  /** number of orders of other stores */
  foreign?: number;
}

async function stepOf(
  pull: FlowhubPull<"customer">,
  state: Position,
  quietDays: number,
  named: Set<string> | undefined,
): Promise<Step> {
  const { at, unread } = state;
  if (unread.length > 0) return { ...(await readUnknown(pull, unread)), at };
  if (at.phase === "orders") return fromOrders(pull, at.walk, quietDays, named);
  return { ...(await fromChanges(pull, state, at.walk, named)), unread };
}

/** @param named collects the ids to look up in the list; if undefined, the customers are read by id */
async function fromOrders(
  pull: FlowhubPull<"customer">,
  walk: DayTraversal,
  quietDays: number,
  named: Set<string> | undefined,
): Promise<Step> {
  const { rows, next } = await readNextDayPage(orderDays(pull), walk, quietDays);
  const own = new StoreRows(rowsOfStore(pull.store));
  const names = rows.filter((row) => own.has(row)).map((row) => posIdIn(row, "customerId"));
  const ids = [...new Set(names.filter((id) => id !== null))];
  for (const id of ids) named?.add(id);
  return {
    foreign: own.foreign,
    ...(named ? { found: [], unread: [] } : await readUnknown(pull, ids)),
    at: next ? { phase: "orders", walk: next } : { phase: "changes", walk: readFromStart(changesAtOnce) },
  };
}

/** Reads unknown customers by id: at least one, then as many as time allows. */
async function readUnknown(
  { api, request, clock }: FlowhubPull<"customer">,
  ids: readonly string[],
): Promise<Pick<Step, "found" | "unread">> {
  const known = (ids.length > 0 && (await request.known?.(ids))) || new Set();
  const unknown = ids.filter((id) => !known.has(id));
  const found: ReadRow<PosCustomer>[] = [];
  for (const [at, id] of unknown.entries()) {
    if (at > 0 && remainingMs(request, clock) <= 0) return { found, unread: unknown.slice(at) };
    if (!isPathPart(id)) {
      found.push({ rejected: { posId: id, field: "customerId", reason: "invalid_id" } });
      continue;
    }
    const row = await api.customer(id);
    if (row !== undefined) found.push(readCustomer(row));
  }
  return { found, unread: [] };
}

async function fromChanges(
  { api, request, timezone }: FlowhubPull<"customer">,
  { mark }: Position,
  walk: PageTraversal,
  named: ReadonlySet<string> | undefined,
): Promise<Pick<Step, "found" | "at">> {
  // The filter takes a day without a time. It starts one day earlier, because Flowhub does not document in which time zone
  // the day begins.
  const since = mark && { updated_after: localDay(daysAfter(mark.upTo, -1), timezone) };
  const fetchPage = async (index: number, size: number) => {
    const { rows, total } = await api.customers({ ...since, page: index + 1, page_size: size, order_by: "asc" });
    rejectPrematureEnd({ rows, total }, index * size);
    return { rows, isLast: total !== null && index * size + rows.length >= total };
  };
  const { rows, next } = await continueTraversal(walk, fetchPage, (row) => String(posIdIn(row, "id")));
  const found = rows.map(readCustomer);
  const ids = found.map((one) => ("row" in one ? one.row.pos_customer_id : one.rejected.posId));
  const known = (ids.length > 0 && (await request.known?.([...new Set(ids)]))) || new Set();
  const isOurs = (id = "") => known.has(id) || request.isRejected?.(id) || named?.has(id);
  return { found: found.filter((_, at) => isOurs(ids[at])), at: next && { phase: "changes", walk: next } };
}

const readCustomer = (row: unknown) => mapRow(readRow(customer, row, "id"), customerRecord);

export function customerRecord(row: Customer): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    ...nameParts(row.name),
    dob: plainDay(row.birthDate),
    address_1: row.streetAddress1,
    address_2: row.streetAddress2,
    city: row.city,
    state: row.state,
    zip_code: row.zip,
    phone: row.phone,
    email_address: row.email,
    pos_customer_type: row.type,
    svc_customer_type: customerTypeOf(row.type),
    loyalty_member: row.isLoyal,
    loyalty_points: row.loyaltyPoints,
    pos_updated_date: row.updatedAt,
  };
}

/** Splits Flowhub's full name into its first word, its last word, and the words between. */
export function nameParts(name: string | null): Pick<PosCustomer, "first_name" | "middle_name" | "last_name"> {
  const [first = null, ...others] = name?.split(/\s+/) ?? [];
  const last = others.pop() ?? null;
  return { first_name: first, last_name: last, middle_name: others.length > 0 ? others.join(" ") : null };
}
