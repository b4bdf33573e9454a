import type { Table } from "./client.ts";
import { readCrb } from "./crbs.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { openMatches, openWindowIntersection } from "./orderedList/openMatches.ts";
import { type OpenPage, openPage } from "./orderedList/readPage.ts";
import { isCustomerOf, recordId } from "./recordId.ts";

/** Filters of sales lists (docs/spec.md#filters), days as yyyy-MM-dd. */
export interface SalesQuery {
  offset: number;
  limit: number;
  last_updated_from?: string | undefined;
  last_updated_to?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  customer_id?: string | undefined;
  pos_customer_id?: string | undefined;
}

interface SaleParties {
  type: "retail" | "wholesale";
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
}

/**
 * The indexed fields of a sale (docs/spec.md#filters). `customer_id` finds retail sales only. `pos_customer_id` finds
 * both kinds; wholesale sales also by the invoice.
 */
export function extractSaleIndexedFields(record: Record<string, unknown>): IndexedField[] {
  const { type, customer, invoice } = record as unknown as SaleParties;
  const terms: IndexedField[] = [];
  const add = (field: string, value: string | null | undefined) => value && terms.push({ field, value });
  if (type === "retail") add("customer_id", customer?.customer_id);
  add("pos_customer_id", customer?.pos_customer_id);
  if (invoice?.pos_customer_id !== customer?.pos_customer_id) add("pos_customer_id", invoice?.pos_customer_id);
  return terms;
}

/** The customer of a sale; the list is also read by customer. */
export function saleCustomer(record: Record<string, unknown>): string | null | undefined {
  return (record as unknown as SaleParties).customer?.customer_id;
}

/** The CRB-local day of a sale, yyyy-MM-dd (docs/spec.md#filters). */
export function saleDay(record: Record<string, unknown>): string {
  return (record.local_date as string).slice(0, 10);
}

/**
 * Opens a page of a CRB's sales, with any combination of filters. Newest update day first, or newest sale day first if
 * a sale day is given (docs/spec.md#order-of-lists).
 *
 * @param options.segmentSize of the list; smaller in tests
 */
export async function listSales(
  table: Table,
  crbId: string,
  query: SalesQuery,
  options: { segmentSize?: number | undefined } = {},
): Promise<OpenPage> {
  const { offset, limit, customer_id, pos_customer_id } = query;
  const list = recordList(crbId, "sale", options.segmentSize);
  const updated = { from: query.last_updated_from, to: query.last_updated_to };
  const sold = { from: query.start_date, to: query.end_date };
  const bySaleDay = Boolean(sold.from ?? sold.to);
  const order = bySaleDay ? "saleRank" : "rank";

  const term = customerTerm(crbId, query);
  if (term) {
    const customerId = async () => customer_id ?? customerOf(table, crbId, pos_customer_id ?? "");
    const windows = { rank: updated, saleRank: sold };
    return openMatches(table, list, [term], { offset, limit, order, windows, customerId }, extractSaleIndexedFields);
  }
  const byUpdate = Boolean(updated.from ?? updated.to);
  if (bySaleDay && byUpdate) {
    return openWindowIntersection(table, list, { offset, limit, order, windows: { rank: updated, saleRank: sold } });
  }
  return openPage(table, list, { offset, limit, ...(bySaleDay ? sold : updated) }, { order });
}

/**
 * The indexed field that finds the sales of a customer. A customer id follows from a POS id: if both are given, one of
 * them is enough, or they contradict and no sale has both.
 */
function customerTerm(crbId: string, { customer_id, pos_customer_id }: SalesQuery): IndexedField | undefined {
  if (!customer_id) return pos_customer_id ? { field: "pos_customer_id", value: pos_customer_id } : undefined;
  const fits = !pos_customer_id || isCustomerOf(crbId, customer_id, pos_customer_id);
  return { field: "customer_id", value: fits ? customer_id : "" };
}

/** The service's id of a POS customer, which follows from the POS id. */
async function customerOf(table: Table, crbId: string, posCustomerId: string): Promise<string | undefined> {
  const connection = (await readCrb(table, crbId))?.connection;
  return connection ? recordId(crbId, "customer", connection.posType, posCustomerId) : undefined;
}
