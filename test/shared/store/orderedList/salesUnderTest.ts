import { randomUUID } from "node:crypto";
import type { Item, Table } from "../../../../shared/store/client.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { listSales, type SalesQuery } from "../../../../shared/store/sales.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { toyAmounts } from "../salesDays/toySale.ts";
import { setFence } from "./listUnderTest.ts";

/** So small that days have several segments. */
export const segmentSize = 8;

/** A replicated sale of a day in January, with the POS's id of its customer. */
export interface SaleOf {
  name: number;
  customer: string;
  day: number;
  version: number;
}

/** A business whose sales the tests write and read. */
export class SalesUnderTest {
  readonly crbId = randomUUID();
  readonly list = recordList(this.crbId, "sale", segmentSize);
  readonly fence = { key: { pk: `LEASE of ${this.crbId}`, sk: "LEASE" }, number: 1 };

  async begin(table: Table): Promise<void> {
    await setFence(table, this.fence.key, 1);
  }

  writer(table: Table, clock: Clock): { write(sales: readonly SaleOf[]): Promise<unknown> } {
    const writer = new RecordWriter(table, this.list, { fence: this.fence, clock, ...indexingOptions.sale });
    return { write: (sales) => writer.write(sales.map((sale) => this.#recordOf(sale))) };
  }

  customerId(posId: string): string {
    return recordId(this.crbId, "customer", "Dutchie", posId);
  }

  /** A page's total and the names and versions of its sales. */
  async page(table: Table, query: SalesQuery): Promise<{ total: number; sales: string[] }> {
    const { total, records } = await (await listSales(table, this.crbId, query, { segmentSize })).read();
    return { total, sales: records.map(nameOf) };
  }

  /** The same from the stored records. */
  async expected(table: Table, query: SalesQuery): Promise<{ total: number; sales: string[] }> {
    return this.expectedOf(await table.queryPartition(this.list.pk, { consistent: true }), query);
  }

  /**
   * The same from given records.
   *
   * @param items all items of the list's partition
   */
  expectedOf(items: readonly Item[], query: SalesQuery): { total: number; sales: string[] } {
    // The entries of a query by other filters, too, name the day of sale, but no position on it.
    const { length } =
      query.customer_id || query.pos_customer_id || query.last_updated_from ? "yyyy-MM-dd" : "*".repeat(19);
    const isBySaleDay = query.start_date || query.end_date;
    const placeOf = ({ rank, saleRank }: Item) => `${isBySaleDay ? String(saleRank).slice(0, length) : ""} ${rank}`;
    const isWithin = (rank: unknown, from = "", to = "~") => {
      const day = String(rank).slice(0, 10);
      return day >= from && day <= to;
    };
    const sales = items
      .filter(
        ({ rank, saleRank, body }) =>
          isWithin(rank, query.last_updated_from, query.last_updated_to) &&
          isWithin(saleRank, query.start_date, query.end_date) &&
          (!query.customer_id || JSON.parse(body as string).customer.customer_id === query.customer_id) &&
          (!query.pos_customer_id || JSON.parse(body as string).customer.pos_customer_id === query.pos_customer_id),
      )
      .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
      .map(({ body }) => nameOf(body as string));
    return { total: sales.length, sales: sales.slice(query.offset, query.offset + query.limit) };
  }

  #recordOf({ name, customer, day, version }: SaleOf) {
    const id = recordId(this.crbId, "sale", "Dutchie", String(name));
    const content = {
      id,
      name,
      version,
      type: "retail",
      local_date: `${saleDate(day)} 10:00:00.000`,
      customer: { customer_id: this.customerId(customer), pos_customer_id: customer, type: "rec" },
      ...toyAmounts(1_000 + version),
      svc_created_date: null,
      svc_updated_date: null,
    };
    return { id, content };
  }
}

/** The date of a sale day. */
export function saleDate(day: number): string {
  return `2026-01-${String(day).padStart(2, "0")}`;
}

function nameOf(body: string): string {
  const { name, version } = JSON.parse(body);
  return `${name} of ${version}`;
}
