import { randomUUID } from "node:crypto";
import type { BatchGetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { recordId as posRecordId } from "../../../shared/store/recordId.ts";
import {
  extractSaleIndexedFields,
  listSales,
  type SalesQuery,
  saleCustomer,
  saleDay,
} from "../../../shared/store/sales.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, recordId, setFence, TestClock } from "./orderedList/listUnderTest.ts";

interface Sale {
  id: string;
  type: "retail" | "wholesale";
  local_date: string;
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
  version: number;
  svc_created_date: string | null;
  svc_updated_date: string | null;
}

const crbId = randomUUID();
const customers = ["a", "b", "c", "d"];
const customerId = (posId: string) => posRecordId(crbId, "customer", "Dutchie", posId);

/** Sales of three weeks, spread over days and customers; some have no customer. */
function sale(number: number, version: number): Sale {
  // Version 2 corrects a sale's day, so that the sale also moves in the order by sale day.
  const day = String(1 + ((number * 7 + (version > 1 ? 3 : 0)) % 21)).padStart(2, "0");
  const customer = number % 6 === 5 ? null : (customers[number % 4] ?? "a");
  const wholesale = number % 3 === 0;
  return {
    id: recordId(number),
    type: wholesale ? "wholesale" : "retail",
    local_date: `2026-02-${day} 10:00:00.000`,
    customer: customer === null ? null : { customer_id: customerId(customer), pos_customer_id: customer },
    ...(wholesale && { invoice: { pos_customer_id: number % 2 ? "a" : customer } }),
    version,
    svc_created_date: null,
    svc_updated_date: null,
  };
}

/** The rules of docs/spec.md#order-of-lists and docs/spec.md#filters, over all sales in the order of storage. */
function expected(stored: Sale[], query: SalesQuery): Sale[] {
  const updateDay = ({ svc_updated_date: date }: Sale) => date?.slice(0, 10) ?? "";
  const day = ({ local_date: date }: Sale) => date.slice(0, 10);
  const within = (value: string, from?: string, to?: string) => (!from || value >= from) && (!to || value <= to);
  return stored.filter(
    (item) =>
      within(updateDay(item), query.last_updated_from, query.last_updated_to) &&
      within(day(item), query.start_date, query.end_date) &&
      (!query.customer_id || (item.type === "retail" && item.customer?.customer_id === query.customer_id)) &&
      (!query.pos_customer_id ||
        item.customer?.pos_customer_id === query.pos_customer_id ||
        item.invoice?.pos_customer_id === query.pos_customer_id),
  );
}

const filters: Partial<SalesQuery>[] = [
  { last_updated_from: "2026-03-02" },
  { last_updated_to: "2026-03-02" },
  { last_updated_from: "2026-03-02", last_updated_to: "2026-03-02" },
  { start_date: "2026-02-08" },
  { end_date: "2026-02-12" },
  { start_date: "2026-02-08", end_date: "2026-02-08" },
  { customer_id: customerId("b") },
  { customer_id: randomUUID() },
  { pos_customer_id: "a" },
  { pos_customer_id: "c" },
];

/** Small segments, and those of a deployed stage. */
describe.each([8, undefined])("sales with any combination of filters, in segments of %s", (segmentSize) => {
  let table: Table;
  let stored: Sale[];
  beforeAll(async () => {
    table = await createTestTable();
    const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-03-01T00:00:00.000Z" };
    await createCrb(table, { record: crbRecord(crbId), serviceProviderId: crbId, connection });
    const list = recordList(crbId, "sale", segmentSize);
    const key = { pk: "LEASE", sk: crbId };
    await setFence(table, key, 1);
    const clock = new TestClock("2026-03-01T12:00:00.000Z");
    const options = {
      fence: { key, number: 1 },
      clock,
      extractIndexedFields: extractSaleIndexedFields,
      extractSaleDay: saleDay,
      extractCustomerId: saleCustomer,
    };
    for (let version = 0; version < 4; version++) {
      const writer = new RecordWriter(table, list, options);
      const sales = Array.from({ length: 60 }, (_, number) => number).filter((number) => number % (version + 1) === 0);
      await writer.write(sales.map((number) => ({ id: recordId(number), content: { ...sale(number, version) } })));
      clock.advance(24 * 60 * 60_000);
    }
    const items = await table.queryPartition(list.pk);
    stored = items.map((item) => JSON.parse(item.body as string));
  });

  const pairs = filters.flatMap((first, i) => filters.slice(i).map((second) => ({ ...first, ...second })));
  test.each(pairs.map((query) => [JSON.stringify(query), query]))("%s", async (_, query) => {
    const matching = expected(stored, { offset: 0, limit: 1000, ...query });
    const all = await (await listSales(table, crbId, { offset: 0, limit: 1000, ...query }, { segmentSize })).read();
    expect(all.total).toBe(matching.length);
    const records = all.records.map((record) => JSON.parse(record) as Sale);
    expect(new Set(records)).toEqual(new Set(matching));
    const dayOf = query.start_date || query.end_date ? saleDayText : updateDayText;
    expect(records.map(dayOf)).toEqual(records.map(dayOf).sort().reverse());
    const page = await (await listSales(table, crbId, { offset: 3, limit: 4, ...query }, { segmentSize })).read();
    expect(page).toEqual({ total: matching.length, records: all.records.slice(3, 7) });
  });

  test.each([{ customer_id: customerId("b") }, { pos_customer_id: "b" }])(
    "of one customer are read together: %o",
    async (query) => {
      const reader = testTableOf(table);
      const calls = interceptCalls(reader);
      let single = 0;
      calls.before = (command, input) => {
        if (command !== "BatchGetItemCommand") return;
        const { Keys = [] } = (input as BatchGetItemCommandInput).RequestItems?.[table.name] ?? {};
        single += Keys.filter(({ pk }) => pk?.S === recordList(crbId, "sale").pk).length;
      };
      const { records } = await (
        await listSales(reader, crbId, { offset: 0, limit: 1000, ...query }, { segmentSize })
      ).read();
      expect([records.length > 4, single]).toEqual([true, 0]);
    },
  );

  test("that change while a window is read are not missed", async () => {
    const list = recordList(randomUUID(), "sale", segmentSize);
    const key = { pk: "LEASE", sk: list.pk };
    await setFence(table, key, 1);
    const clock = new TestClock("2026-03-01T12:00:00.000Z");
    const write = (...numbers: number[]) =>
      new RecordWriter(table, list, {
        fence: { key, number: 1 },
        clock,
        extractIndexedFields: extractSaleIndexedFields,
        extractSaleDay: saleDay,
      }).write(numbers.map((number) => ({ id: recordId(number), content: { ...sale(number, clock.time) } })));
    for (const numbers of [[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3], [4]]) {
      await write(...numbers);
      clock.advance(24 * 60 * 60_000);
    }
    const reader = testTableOf(table);
    let changed: Promise<unknown> | undefined;
    interceptCalls(reader).before = async (_, input) => {
      if (!(input as { IndexName?: string }).IndexName) return;
      changed ??= write(1);
      await changed;
    };
    const query = { last_updated_from: "2026-03-02", start_date: "2026-01-01", offset: 1, limit: 10 };
    const { total } = await (await listSales(reader, list.pk.split("#")[1] ?? "", query, { segmentSize })).read();
    expect([total, changed !== undefined]).toEqual([4, true]);
  });

  describe("of a customer with more sales than can be listed", () => {
    const list = async (query: Omit<SalesQuery, "offset" | "limit">, maxSales: number) =>
      (await listSales(table, crbId, { offset: 1, limit: 5, ...query }, { segmentSize, maxSales })).read();
    const count = (query: Partial<SalesQuery>) => expected(stored, { offset: 0, limit: 1, ...query }).length;
    const customer = { pos_customer_id: "a" };
    const long = [
      {},
      { start_date: "2026-02-10" },
      { end_date: "2026-02-10" },
      { start_date: "2026-02-01", end_date: "2026-03-05" },
      { last_updated_from: "2026-03-02", last_updated_to: "2026-03-02" },
    ];
    test.each(long)("need both sale days, at most 31 days apart: %o", async (windows) => {
      const total = count(customer);
      await expect(list({ ...customer, ...windows }, total - 1)).rejects.toMatchObject({
        kind: "invalid",
        details: {
          code: "window_required",
          fields: { "query.start_date": { message: expect.stringContaining("31 days") }, "query.end_date": {} },
        },
      });
      expect((await list({ ...customer, ...windows }, total)).total).toBe(count({ ...customer, ...windows }));
    });

    test.each([
      { start_date: "2026-02-01", end_date: "2026-03-04" },
      { start_date: "2026-02-08", end_date: "2026-02-12" },
      { start_date: "2026-02-08", end_date: "2026-02-12", last_updated_from: "2026-03-02" },
    ])("are found in a short window: %o", async (windows) => {
      const query = { ...customer, ...windows };
      const { total, records } = await list(query, 1);
      expect([total, records.length]).toEqual([count(query), Math.min(5, count(query) - 1)]);
      const all = await list(query, 1_000);
      expect(all.records).toEqual(records);
    });
  });

  test("include matches of every filter in the test data", () => {
    for (const query of filters.slice(0, 7))
      expect(expected(stored, { offset: 0, limit: 1, ...query })).not.toEqual([]);
    expect(stored).toHaveLength(60);
  });
});

const saleDayText = (record: Sale) => record.local_date.slice(0, 10);
const updateDayText = (record: Sale) => record.svc_updated_date?.slice(0, 10);
