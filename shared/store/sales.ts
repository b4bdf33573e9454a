import type * as z from "zod";
import type { salesQuery } from "../api/parameters.ts";
import { addDays } from "../time/addDays.ts";
import type { Table } from "./client.ts";
import { readCrb } from "./crbs.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { openMatches, openWindowIntersection } from "./orderedList/openMatches.ts";
import { type OpenPage, openPage } from "./orderedList/readPage.ts";
import { isCustomerOf, recordId } from "./recordId.ts";

/** Filters of sales lists (docs/spec.md#filters), days as yyyy-MM-dd. */
export type SalesQuery = z.output<typeof salesQuery>;

type SalesWindow = "last_updated_from" | "last_updated_to" | "start_date" | "end_date";
/** The filters that compare a value. Each filter finds sales by the indexed field of the same name. */
type SalesFilter = Exclude<keyof SalesQuery, SalesWindow | "offset" | "limit">;

interface SaleParties {
  type: "retail" | "wholesale";
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
}

/**
 * The values of a sale that each filter compares. `customer_id` finds retail sales only. `pos_customer_id` finds retail
 * and wholesale sales, and compares the customer of the invoice, too.
 */
const filterValues: Readonly<Record<SalesFilter, (sale: SaleParties) => (string | null | undefined)[]>> = {
  customer_id: ({ type, customer }) => (type === "retail" ? [customer?.customer_id] : []),
  pos_customer_id: ({ customer, invoice }) => [customer?.pos_customer_id, invoice?.pos_customer_id],
};

/** The indexed fields of a sale (docs/spec.md#filters): one for each value that a filter compares. */
export function extractSaleIndexedFields(record: Record<string, unknown>): IndexedField[] {
  const sale = record as unknown as SaleParties;
  return Object.entries(filterValues).flatMap(([field, valuesOf]) =>
    [...new Set(valuesOf(sale))].flatMap((value) => (value ? [{ field, value, day: saleDay(record) }] : [])),
  );
}

/** The id of the customer of a sale, for the index by customer. */
export function saleCustomer(record: Record<string, unknown>): string | null | undefined {
  return (record as unknown as SaleParties).customer?.customer_id;
}

/** The CRB-local day of a sale, yyyy-MM-dd (docs/spec.md#filters). */
export function saleDay(record: Record<string, unknown>): string {
  return (record.local_date as string).slice(0, 10);
}

/** Maximum number of a customer's sales that are listed without a window of at most `maxWindowDays` (docs/spec.md#filters). */
const maxCustomerSales = 4_096;
const maxWindowDays = 31;

/**
 * Opens a page of a CRB's sales, with any combination of filters. The newest update is first. If the query limits the
 * sale day, the newest sale day is first (docs/spec.md#order-of-lists).
 *
 * @param options.segmentSize the segment size of the list; smaller in tests, like `options.maxSales`
 * @throws ServiceError "window_required" (from `read`) if a customer with many sales needs a short window
 */
export async function listSales(
  table: Table,
  crbId: string,
  query: SalesQuery,
  options: { segmentSize?: number | undefined; maxSales?: number } = {},
): Promise<OpenPage> {
  const { offset, limit, last_updated_from, last_updated_to, start_date, end_date, ...filters } = query;
  const { customer_id, pos_customer_id, ...others } = filters;
  // This line does not compile if `salesQuery` has a filter that is not applied here.
  others satisfies Record<string, never>;
  const list = recordList(crbId, "sale", options.segmentSize);
  const updated = { from: last_updated_from, to: last_updated_to };
  const sold = { from: start_date, to: end_date };
  const bySaleDay = Boolean(sold.from ?? sold.to);
  const order = bySaleDay ? "saleRank" : "rank";

  const term = customerTerm(crbId, filters);
  if (term) {
    const customerId = async () => customer_id ?? customerOf(table, crbId, pos_customer_id ?? "");
    const windows = { rank: updated, saleRank: sold };
    const isShort = start_date && end_date && end_date <= addDays(start_date, maxWindowDays);
    const maxMatches = isShort ? undefined : (options.maxSales ?? maxCustomerSales);
    const page = { offset, limit, order, windows, customerId, maxMatches } as const;
    return openMatches(table, list, term, page, extractSaleIndexedFields);
  }
  const byUpdate = Boolean(updated.from ?? updated.to);
  if (bySaleDay && byUpdate) {
    return openWindowIntersection(table, list, { offset, limit, order, windows: { rank: updated, saleRank: sold } });
  }
  return openPage(table, list, { offset, limit, ...(bySaleDay ? sold : updated) }, { order });
}

/**
 * The indexed field that finds the sales of a customer; undefined without a customer filter. A customer id is computed
 * from a POS customer id. So if both are given, either they belong together and one of them is enough, or they
 * contradict each other and no sale has both.
 */
function customerTerm(
  crbId: string,
  { customer_id, pos_customer_id }: Pick<SalesQuery, SalesFilter>,
): IndexedField | undefined {
  if (!customer_id) return pos_customer_id ? { field: "pos_customer_id", value: pos_customer_id } : undefined;
  const fits = !pos_customer_id || isCustomerOf(crbId, customer_id, pos_customer_id);
  return { field: "customer_id", value: fits ? customer_id : "" };
}

/** Computes the customer id from a POS customer id. */
async function customerOf(table: Table, crbId: string, posCustomerId: string): Promise<string | undefined> {
  const connection = (await readCrb(table, crbId))?.connection;
  return connection ? recordId(crbId, "customer", connection.posType, posCustomerId) : undefined;
}
