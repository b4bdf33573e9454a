import type { RecordKind } from "../../../shared/api/kinds.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import type { PosRecords } from "../../../shared/pos/posRecords.ts";
import type { Table } from "../../../shared/store/client.ts";
import { extractCustomerIndexedFields } from "../../../shared/store/customers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { RecordToWrite, WriterOptions } from "../../../shared/store/orderedList/recordWriter.ts";
import { extractSaleIndexedFields, saleCustomer, saleDay } from "../../../shared/store/sales.ts";
import { count } from "../bench.ts";
import { type Business, createBusiness, standingFence } from "./business.ts";
import { passBusyDays } from "./busyYear.ts";
import { fill } from "./fill.ts";
import { customerMaker, inventoryMaker, productMaker, type RecordMaker, saleMaker } from "./records.ts";

/** The numbers of inventory records and products behind the inventory figures. */
const inventorySize = { records: 5_000, products: 2_500 };

/** The item that records a data set and its business once all of it is stored. */
const noteKey = (name: string) => ({ pk: "DATASET", sk: name });

/** The lists that figures read. A list is made if the table does not have it yet, and never changes afterwards. */
export class DataSets {
  readonly #table: Table;
  readonly #progress: (text: string) => void;
  readonly #known = new Map<string, Promise<Business>>();

  constructor(table: Table, progress: (text: string) => void) {
    this.#table = table;
    this.#progress = progress;
  }

  /** A business with the given number of customers, who can be searched by e-mail address and first name. */
  customers(records: number): Promise<Business> {
    return this.#once(`${count(records)} customers`, async (business) => {
      // Index entries of other fields would only cost time; no figure reads them.
      const termsOf: WriterOptions["extractIndexedFields"] = (record) =>
        extractCustomerIndexedFields(record).filter(({ field }) => field === "email" || field === "first_name");
      await this.#fill(business, "customer", records, await customerMaker(business.connection), {
        extractIndexedFields: termsOf,
      });
    });
  }

  /** A business with the given number of sales. */
  sales(records: number): Promise<Business> {
    return this.#once(`${count(records)} sales`, async (business) => {
      const make = await saleMaker(business.connection, records);
      await this.#fill(business, "sale", records, make, {
        extractIndexedFields: extractSaleIndexedFields,
        extractSaleDay: saleDay,
        extractCustomerId: saleCustomer,
      });
    });
  }

  /**
   * A business with 4,000 customers that each changed 50 times a day for the given number of days. Customers cannot be
   * searched.
   */
  busyCustomers(days: number): Promise<Business> {
    const records = 4_000;
    return this.#once(`${count(records)} customers, busy for ${count(days)} days`, async (business) => {
      const list = recordList(business.crbId, "customer");
      await this.#fill(business, "customer", records, await customerMaker(business.connection), {});
      await passBusyDays(this.#table, list, days, (day) => this.#progress(`busy day ${day} of ${days}`));
    });
  }

  /** A business whose inventory records take 3.7 KB each, including their products. */
  inventory(): Promise<Business> {
    return this.#once("inventory and products", async (business) => {
      const { connection } = business;
      const { records, products } = inventorySize;
      await this.#fill(business, "product", products, await productMaker(connection), {});
      await this.#fill(business, "inventory", records, await inventoryMaker(connection, products), {});
    });
  }

  #once(name: string, make: (business: Business) => Promise<void>): Promise<Business> {
    const business = this.#known.get(name) ?? this.#keptOrMade(name, make);
    this.#known.set(name, business);
    return business;
  }

  async #keptOrMade(name: string, make: (business: Business) => Promise<void>): Promise<Business> {
    const kept = await this.#table.get(noteKey(name), { consistent: true });
    if (kept) return kept.business as Business;
    this.#progress(`Making ${name}`);
    const business = await createBusiness(this.#table);
    await make(business);
    await this.#table.put({ ...noteKey(name), business });
    return business;
  }

  async #fill<Kind extends RecordKind>(
    { crbId, connection }: Business,
    kind: Kind,
    records: number,
    make: RecordMaker<Kind>,
    options: Omit<WriterOptions, "fence">,
  ): Promise<void> {
    const fence = await standingFence(this.#table, crbId, kind);
    const normalize = replicatedKinds[kind].normalize as (
      connection: Business["connection"],
      record: PosRecords[Kind],
    ) => RecordToWrite | null;
    await fill(
      this.#table,
      recordList(crbId, kind),
      { fence, ...options },
      records,
      (index, version) => {
        const record = normalize(connection, make(index, version));
        if (!record) throw new Error(`no record can be made of ${kind} ${index}`);
        return record;
      },
      (written) => this.#progress(`${count(written)} of ${count(records)} records, ${kind}`),
    );
  }
}
