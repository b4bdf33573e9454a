import * as z from "zod";
import type { PullPage } from "../connector.ts";
import { firstPermitted } from "../reading/firstPermitted.ts";
import { Memo } from "../reading/memo.ts";
import { type FetchPage, pageWalk, walkFromStart, walkOn } from "../reading/pageWalk.ts";
import { posPath } from "../reading/posPath.ts";
import { mapRow, parted, readRow } from "../reading/readRow.ts";
import { parseState, reachOf, readFrom, watermark, watermarkAfter } from "../reading/readSpan.ts";
import { type CustomerTypes, customer, customerType, loyalty } from "./answers.ts";
import { type CustomerContext, customerRecord } from "./customers.ts";
import type { DutchieApi, DutchieStore } from "./dutchieApi.ts";
import type { DutchiePull } from "./dutchiePull.ts";

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  location: z.string(),
  walk: pageWalk,
});
type Position = z.output<typeof position>;

const pageSize = 1000;
const day = 24 * 60 * 60_000;
/** Loyalty balances move without the customer, so all are read once a day. */
const fullEveryDays = 1;

/**
 * Customers, page by page, of one location after the other: those changed since the last pull, once a day all. The list
 * ends with an empty page. Its order is not documented, so the walk makes sure that pages join.
 */
export class CustomerPages {
  // Figures of the night: to be read once a day and, by Dutchie's limit, never twice in a minute.
  readonly #points = new Memo<ReadonlyMap<string, string>>(4, day);
  readonly #types = new Memo<CustomerTypes>(4, 15 * 60_000);

  async page(pull: DutchiePull<"customer">): Promise<PullPage<"customer">> {
    const { stores, request, connection } = pull;
    const known = parseState(position, request.position);
    const found = stores.findIndex(({ store }) => store.locationid === known?.location);
    const state = known && found >= 0 ? known : beginning(pull);
    const at = Math.max(0, found);
    const { api, store } = stores[at] as DutchieStore;
    const { rows, next } = await walkOn(state.walk, fetchPage(api, state), idOf);
    const context: CustomerContext = {
      types: await this.#types.get(`${connection.crbId} ${store.locationid}`, () => readTypes(api)),
      points:
        rows.length === 0
          ? new Map()
          : await this.#points.get(`${connection.crbId} ${store.locationid} ${state.upTo.slice(0, 10)}`, () =>
              readPoints(api),
            ),
      keyKind: stores.length === 1 ? api.kind : null,
    };
    const { rows: records, rejected } = parted(
      rows.map((row) =>
        mapRow(
          readRow(customer, row, (field) => field("customerId")),
          (found) => customerRecord(found, context),
        ),
      ),
    );
    const following = stores[at + 1];
    return {
      records,
      rejected,
      total: null,
      next: next
        ? { position: write({ ...state, walk: next }) }
        : following
          ? { position: write({ ...state, location: following.store.locationid, walk: walkFromStart(pageSize) }) }
          : { watermark: watermarkAfter(state) },
      complete: false,
    };
  }
}

function beginning(pull: DutchiePull<"customer">): Position {
  const location = pull.stores[0]?.store.locationid ?? "";
  return { ...reachOf(pull.request, pull.date, fullEveryDays), location, walk: walkFromStart(pageSize) };
}

const write = (state: Position) => JSON.stringify(state);

const idOf = (row: unknown) => String((row as { customerId?: unknown } | null)?.customerId);

function fetchPage(api: DutchieApi, { mark }: Position): FetchPage {
  const changed = mark && { fromLastModifiedDateUTC: readFrom(mark.upTo).toISOString() };
  return async (index, size) => {
    const query = { ...changed, PageNumber: index, PageSize: size, includeAnonymous: true };
    const rows = await firstPermitted([
      () => api.rows(posPath`/reporting/customers-paginated`, query, (row) => row),
      () => api.rows(posPath`/customer/customers-paginated`, query, (row) => row),
    ]);
    return { rows, isLast: rows.length === 0 };
  };
}

async function readTypes(api: DutchieApi): Promise<CustomerTypes> {
  const rows = await firstPermitted([
    () => api.rows(posPath`/customer/customer-types`, {}, (row) => readRow(customerType, row, (field) => field("id"))),
    async () => [],
  ]);
  return parted(rows).rows;
}

/** One attempt: whoever asks twice in a minute is limited. */
async function readPoints(api: DutchieApi): Promise<ReadonlyMap<string, string>> {
  const path = posPath`/reporting/loyalty-snapshot`;
  const rows = await firstPermitted([
    () => api.rows(path, {}, (row) => readRow(loyalty, row, (field) => field("customerId")), { attempts: 1 }),
    async () => [],
  ]);
  return new Map(
    parted(rows).rows.flatMap(({ customerId, loyaltyBalance }) =>
      loyaltyBalance === null ? [] : [[customerId, loyaltyBalance] as const],
    ),
  );
}
