import { randomUUID } from "node:crypto";
import type { Item, Table } from "../../../../shared/store/client.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { listSales, type SalesQuery } from "../../../../shared/store/sales.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { toyAmounts } from "../salesDays/toySale.ts";
import { setFence } from "./listUnderTest.ts";

/** A replicated sale of a day in January, with the POS's id of its customer. */
export interface SaleOf {
  name: number;
  customer: string | null;
  day: number;
  version: number;
  /** The customer of the invoice, if the sale is a wholesale sale. */
  buyer?: string | null;
}

/** A business whose sales the tests write and read. */
export class SalesUnderTest {
  readonly crbId = randomUUID();
  readonly segmentSize: number | undefined;
  readonly list: OrderedList;
  readonly fence = { key: { pk: `LEASE of ${this.crbId}`, sk: "LEASE" }, number: 1 };

  /** @param segmentSize by default so small that days have several segments */
  constructor(segmentSize: number | undefined = 8) {
    this.segmentSize = segmentSize;
    this.list = recordList(this.crbId, "sale", segmentSize);
  }

  async begin(table: Table): Promise<void> {
    await setFence(table, this.fence.key, 1);
  }

  writer(table: Table, clock: Clock): { write(sales: readonly SaleOf[]): Promise<unknown> } {
    const writer = new RecordWriter(table, this.list, { fence: this.fence, clock, ...indexingOptions.sale });
    return { write: (sales) => writer.write(sales.map((sale) => this.recordOf(sale))) };
  }

  customerId(posId: string): string {
    return recordId(this.crbId, "customer", "Dutchie", posId);
  }

  /** A page's total and the names and versions of its sales. */
  async page(table: Table, query: SalesQuery, options: { maxSales?: number } = {}) {
    const page = await listSales(table, this.crbId, query, { segmentSize: this.segmentSize, ...options });
    const { total, records } = await page.read();
    return { total, sales: records.map(nameOf) };
  }

  /** The same from the stored records. */
  async expected(table: Table, query: SalesQuery): Promise<{ total: number; sales: string[] }> {
    return this.expectedOf(await table.queryPartition(this.list.pk, { consistent: true }), query);
  }

  /**
   * The same from given records, by the rules of docs/spec.md#filters and docs/spec.md#order-of-lists.
   *
   * @param items all items of the list's partition
   */
  expectedOf(items: readonly Item[], query: SalesQuery): { total: number; sales: string[] } {
    const { customer_id, pos_customer_id, last_updated_from, last_updated_to, start_date, end_date } = query;
    // The entries of a query by other filters, too, name the day of sale, but no position on it.
    const isByDayAlone = customer_id || pos_customer_id || last_updated_from || last_updated_to;
    const length = isByDayAlone ? "yyyy-MM-dd".length : undefined;
    const isBySaleDay = start_date || end_date;
    const placeOf = ({ rank, saleRank }: Item) => `${isBySaleDay ? String(saleRank).slice(0, length) : ""} ${rank}`;
    const isWithin = (rank: unknown, from = "", to = "~") => {
      const day = String(rank).slice(0, 10);
      return day >= from && day <= to;
    };
    const isOfCustomer = ({ body }: Item) => {
      const { type, customer, invoice } = JSON.parse(body as string);
      return (
        (!customer_id || (type === "retail" && customer?.customer_id === customer_id)) &&
        (!pos_customer_id || [customer?.pos_customer_id, invoice?.pos_customer_id].includes(pos_customer_id))
      );
    };
    const sales = items
      .filter(({ rank }) => isWithin(rank, last_updated_from, last_updated_to))
      .filter(({ saleRank }) => isWithin(saleRank, start_date, end_date))
      .filter(isOfCustomer)
      .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
      .map(({ body }) => nameOf(body as string));
    return { total: sales.length, sales: sales.slice(query.offset, query.offset + query.limit) };
  }

  recordOf({ name, customer, day, version, buyer }: SaleOf) {
    const id = recordId(this.crbId, "sale", "Dutchie", String(name));
    const content = {
      id,
      name,
      version,
      type: buyer === undefined ? "retail" : "wholesale",
      local_date: `${saleDate(day)} 10:00:00.000`,
      customer: customer && { customer_id: this.customerId(customer), pos_customer_id: customer, type: "rec" },
      ...toyAmounts(1_000 + version),
      ...(buyer !== undefined && { invoice: { pos_customer_id: buyer, total: 1_000 + version, open_balance: 0 } }),
      svc_created_date: null,
      svc_updated_date: null,
    };
    return { id, content };
  }
}

/** The date of a sale day. */
export const saleDate = (day: number): string => `2026-01-${String(day).padStart(2, "0")}`;

function nameOf(body: string): string {
  const { name, version } = JSON.parse(body);
  return `${name} of ${version}`;
}
