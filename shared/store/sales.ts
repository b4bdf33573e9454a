import type * as z from "zod";
import type { salesQuery } from "../api/parameters.ts";
import { addDays } from "../time/addDays.ts";
import type { Table } from "./client.ts";
import { readCrb } from "./crbs.ts";
import type { IndexedField, IndexedFieldOf } from "./keys/indexEntries.ts";
import { type OrderedList, recordList } from "./keys/orderedLists.ts";
import { openMatches, openWindowIntersection } from "./orderedList/openMatches.ts";
import { type OpenPage, openPage, type Page, readPage } from "./orderedList/readPage.ts";
import { customerIdsOf, recordId } from "./recordId.ts";

/** Filters of sales lists (docs/spec.md#filters), days as yyyy-MM-dd. */
export type SalesQuery = z.output<typeof salesQuery>;

type SalesWindow = "last_updated_from" | "last_updated_to" | "start_date" | "end_date";
/** The filters that compare a value. */
type SalesFilter = Exclude<keyof SalesQuery, SalesWindow | "offset" | "limit">;

interface SaleParties {
  type: "retail" | "wholesale";
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
  compliance_status?: string | null;
}

/** The values that a filter compares. Only `pos_customer_id` finds wholesale sales, also by the invoice's customer. */
const filterValues: Readonly<Record<SalesFilter, (sale: SaleParties) => (string | null | undefined)[]>> = {
  customer_id: ({ type, customer }) => (type === "retail" ? [customer?.customer_id] : []),
  pos_customer_id: ({ customer, invoice }) => [customer?.pos_customer_id, invoice?.pos_customer_id],
  compliance_status: ({ compliance_status: status }) => (status === "red_flag" || status === "warning" ? [status] : []),
};

/**
 * The indexed fields of a sale: its customers, and its status if it is flagged (docs/spec.md#filters). A retail sale has
 * only the id of its customer, which is computed from the id in the POS.
 */
export function extractSaleIndexedFields(record: Record<string, unknown>): IndexedFieldOf<"sale">[] {
  const sale = record as unknown as SaleParties;
  const field = filterValues.customer_id(sale).some(Boolean) ? "customer_id" : "pos_customer_id";
  return ([field, "compliance_status"] as const).flatMap((name) =>
    [...new Set(filterValues[name](sale))].flatMap((value) =>
      value ? [{ field: name, value, day: saleDay(record) }] : [],
    ),
  );
}

/** The id of the customer of a sale, for the index by customer. */
export const saleCustomer = (record: Record<string, unknown>): string | null | undefined =>
  (record as unknown as SaleParties).customer?.customer_id;

/** The CRB-local day of a sale, yyyy-MM-dd (docs/spec.md#filters). */
export const saleDay = (record: Record<string, unknown>): string => (record.local_date as string).slice(0, 10);

/** Maximum number of a customer's sales that are listed without a window of at most `maxWindowDays` (docs/spec.md#filters). */
const maxCustomerSales = 4_096;
const maxWindowDays = 31;

/**
 * Opens a page of sales, newest update first, or newest sale day if that is limited (docs/spec.md#order-of-lists).
 *
 * @param options.segmentSize smaller in tests, like `options.maxSales`
 * @throws ServiceError "window_required" (from `read`) if many sales match and need a short window
 */
export async function listSales(
  table: Table,
  crbId: string,
  query: SalesQuery,
  options: { segmentSize?: number | undefined; maxSales?: number } = {},
): Promise<OpenPage> {
  const { offset, limit, last_updated_from, last_updated_to, start_date, end_date, ...filters } = query;
  const { customer_id, pos_customer_id, compliance_status, ...others } = filters;
  // This line does not compile if `salesQuery` has a filter that is not applied here.
  others satisfies Record<string, never>;
  const list = recordList(crbId, "sale", options.segmentSize);
  const updated = { from: last_updated_from, to: last_updated_to };
  const sold = { from: start_date, to: end_date };
  const bySaleDay = Boolean(sold.from ?? sold.to);
  const order = bySaleDay ? "saleRank" : "rank";

  if (customer_id || pos_customer_id || compliance_status) {
    const isShort = start_date && end_date && end_date <= addDays(start_date, maxWindowDays);
    return openMatches(table, list, {
      ...{ offset, limit, order, windows: { rank: updated, saleRank: sold } },
      terms: compliance_status
        ? [{ field: "compliance_status", value: compliance_status }]
        : customerTerms(crbId, filters),
      isMatch: (sale) => isMatch(sale as unknown as SaleParties, filters),
      maxMatches: isShort ? undefined : (options.maxSales ?? maxCustomerSales),
      customerId: async () => customer_id ?? (pos_customer_id && (await customerOf(table, crbId, pos_customer_id))),
    });
  }
  const byUpdate = Boolean(updated.from ?? updated.to);
  if (bySaleDay && byUpdate) {
    return openWindowIntersection(table, list, { offset, limit, windows: { rank: updated, saleRank: sold } });
  }
  return openPage(table, list, { offset, limit, ...(bySaleDay ? sold : updated) }, { order });
}

function isMatch(sale: SaleParties, filters: Pick<SalesQuery, SalesFilter>): boolean {
  const wanted = Object.entries(filters) as [SalesFilter, string | undefined][];
  return wanted.every(([name, value]) => value === undefined || filterValues[name](sale).includes(value));
}

/**
 * The indexed fields that find the sales of a customer. The id is computed from the id in the POS, for any POS type that
 * the CRB may have had. If both are given, one of them is enough, or they contradict each other and no sale has both.
 */
function customerTerms(
  crbId: string,
  { customer_id, pos_customer_id: posId = "" }: Pick<SalesQuery, SalesFilter>,
): IndexedField[] {
  if (customer_id) {
    const fits = !posId || customerIdsOf(crbId, posId).includes(customer_id);
    return fits ? [{ field: "customer_id", value: customer_id }] : [];
  }
  const ids = customerIdsOf(crbId, posId);
  return [{ field: "pos_customer_id", value: posId }, ...ids.map((value) => ({ field: "customer_id", value }))];
}

/** Computes the customer id from a POS customer id. */
async function customerOf(table: Table, crbId: string, posCustomerId: string): Promise<string | undefined> {
  const connection = (await readCrb(table, crbId))?.connection;
  return connection ? recordId(crbId, "customer", connection.posType, posCustomerId) : undefined;
}

const pageSize = 500;

/** Reads a day's sales in pages. If one is written meanwhile, or the index lags, pages have fewer sales than their `total`. */
export async function* readSalesOfDay(table: Table, list: OrderedList, day: string): AsyncGenerator<Page> {
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const page = await readPage(table, list, { offset, limit: pageSize, from: day, to: day }, { order: "saleRank" });
    yield page;
    total = page.total;
  }
}
