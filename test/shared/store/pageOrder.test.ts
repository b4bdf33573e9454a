import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { listCustomers } from "../../../shared/api/operations/customers.ts";
import { listInventory as inventoryOperation } from "../../../shared/api/operations/inventory.ts";
import { listSales as salesOperation } from "../../../shared/api/operations/sales.ts";
import { searchCustomers } from "../../../shared/store/customers.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { listInventory } from "../../../shared/store/inventory.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { OpenPage } from "../../../shared/store/orderedList/readPage.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { recordId as posRecordId } from "../../../shared/store/recordId.ts";
import { listSales } from "../../../shared/store/sales.ts";
import { createTestTable } from "../../testTable.ts";
import { recordId, setFence, TestClock } from "./orderedList/listUnderTest.ts";

const crbId = randomUUID();
/** More than a search of customers reads at once. */
const records = 103;
const posCustomerId = "4711";
const customerId = posRecordId(crbId, "customer", "Treez", posCustomerId);
const phone = "a".repeat(64);
const days = ["2026-03-01", "2026-03-02", "2026-03-03"];

let table: Awaited<ReturnType<typeof createTestTable>>;
let clock: TestClock;
const writers: Partial<Record<"customer" | "inventory" | "sale", RecordWriter>> = {};

const example = (operation: { success: { example: unknown } }) =>
  (operation.success.example as { data: Record<string, unknown>[] }).data[0] ?? {};
const contents = {
  customer: (changes: object) => ({ ...example(listCustomers), phone, ...changes }),
  inventory: (changes: object) => ({ ...example(inventoryOperation), ...changes }),
  sale: (changes: object, number: number) => {
    const sale = example(salesOperation);
    const customer = { ...(sale.customer as object), customer_id: customerId, pos_customer_id: posCustomerId };
    return { ...sale, customer, local_date: `${days[number % days.length]} 10:00:00.000`, ...changes };
  },
};

async function write(kind: keyof typeof contents, numbers: readonly number[], changes: object = {}): Promise<void> {
  const dates = { svc_created_date: null, svc_updated_date: null };
  const some = numbers.map((number) => {
    const id = recordId(number);
    return { id, content: contents[kind]({ id, ...dates, ...changes }, number) };
  });
  await writers[kind]?.write(some);
}

beforeAll(async () => {
  table = await createTestTable();
  clock = new TestClock("2026-03-01T10:00:00.000Z");
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table, fence.key, fence.number);
  for (const kind of ["customer", "inventory", "sale"] as const) {
    writers[kind] = new RecordWriter(table, recordList(crbId, kind), { fence, clock, ...indexingOptions[kind] });
    const numbers = [...Array(records).keys()];
    for (let i = 0; i < records; i += 35) {
      await write(kind, numbers.slice(i, i + 35));
      clock.advance(20 * 3_600_000);
    }
    // Changed records move to the front, in an order that is neither that of the ids nor that of the creation.
    for (const number of [5, 0, 8]) await write(kind, [number], { name: "changed", employee_id: "changed" });
  }
});

type Read = (page: { offset: number; limit: number }) => Promise<OpenPage>;

const updated = { last_updated_from: "2026-03-01", last_updated_to: "2026-03-31" };
const sold = { start_date: "2026-03-01", end_date: "2026-03-31" };
const salesBy =
  (filters: object): Read =>
  (page) =>
    listSales(table, crbId, { ...page, ...filters });

const reads: [string, Read][] = [
  ["customers by a value", (page) => searchCustomers(table, crbId, { phone }, page)],
  ["customers by two values", (page) => searchCustomers(table, crbId, { phone, email: mail() }, page)],
  ["inventory", (page) => listInventory(table, crbId, page)],
  ["inventory by updates", (page) => listInventory(table, crbId, { ...page, ...updated })],
  ["sales", salesBy({})],
  ["sales by updates", salesBy(updated)],
  ["sales by sale days", salesBy(sold)],
  ["sales by both", salesBy({ ...updated, ...sold })],
  ...[{ customer_id: customerId }, { pos_customer_id: posCustomerId }].flatMap((customer): [string, Read][] => [
    [`sales by ${Object.keys(customer)}`, salesBy(customer)],
    [`sales by ${Object.keys(customer)} and updates`, salesBy({ ...customer, ...updated })],
    [`sales by ${Object.keys(customer)} and sale days`, salesBy({ ...customer, ...sold })],
    [`sales by ${Object.keys(customer)} and both`, salesBy({ ...customer, ...updated, ...sold })],
  ]),
];
const mail = () => String(example(listCustomers).email_address);

/** Reads all pages, with a size for each; the last size is that of all further pages. Returns the ids. */
async function walk(read: Read, sizes: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0, offset = 0, total = 1; offset < total; page++) {
    const limit = sizes[Math.min(page, sizes.length - 1)] ?? 1;
    const found = await (await read({ offset, limit })).read();
    ({ total } = found);
    expect(total).toBe(records);
    expect(found.records).toHaveLength(Math.min(limit, total - offset));
    ids.push(...found.records.map((record) => JSON.parse(record).id));
    offset += limit;
  }
  return ids;
}

describe.each(reads)("pages of %s", (name, read) => {
  test("are parts of one order, whatever their sizes", async () => {
    const order = await walk(read, [7]);
    expect(new Set(order).size).toBe(records);
    for (const sizes of [[1, 1000], [4, 1, 50], [10], [20, 1000], [50, 3, 1, 1000], [100], [records - 1, 1]]) {
      expect([sizes, await walk(read, sizes)]).toEqual([sizes, order]);
    }
  });

  test("have the same records as a single page, which begins with the newest change or sale day", async () => {
    const single = await walk(read, [records]);
    expect(await walk(read, [1000])).toEqual(single);
    const order = await walk(read, [50]);
    expect(single.toSorted()).toEqual(order.toSorted());
    if (name.startsWith("customers")) expect(single.slice(0, 3)).toEqual([8, 0, 5].map(recordId));
    else expect(single).toEqual(order);
  });
});
