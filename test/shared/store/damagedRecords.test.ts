import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { purgeRecords } from "../../../shared/domain/crbs/purge/purgeRecords.ts";
import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { readReplications } from "../../../shared/domain/replication/readReplications.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import { rebuildLists } from "../../../shared/domain/replication/rebuildLists.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import type { Connection, Connector } from "../../../shared/pos/connector.ts";
import { searchCustomers } from "../../../shared/store/customers.ts";
import { DamagedRecordError, damagedText } from "../../../shared/store/damagedRecords.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import { locationInventoryList, recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { hasDifferences } from "../../../shared/store/listRebuild/rebuildList.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { compressText } from "../../../shared/store/recordText.ts";
import { givenServiceProvider, type OperationId, type OperationRequest } from "../../functions/callHandler.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { sampleCases } from "../../thorough.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenExports } from "../domain/exports/givenExports.ts";
import { plainCustomer, plainSale, ScriptedPos } from "../domain/replication/scriptedPos.ts";
import { ScriptedStock, stockOf } from "../domain/replication/scriptedStock.ts";
import { testConnection } from "../pos/sandbox/testConnection.ts";
import { recordId as recordIdOf, TestClock } from "./orderedList/listUnderTest.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
useQueues();

let connection: Connection;
let clock: TestClock;
let pos: ScriptedPos;
let stock: ScriptedStock;
let given: Awaited<ReturnType<typeof givenServiceProvider>>;
const reported: unknown[] = [];
const withoutMetric = ({ _aws, stage: _stage, DamagedRecords: _count, ...fields }: Record<string, unknown>) => fields;

beforeEach(async () => {
  given = await givenServiceProvider(table());
  connection = { ...testConnection, crbId: given.crbId };
  clock = new TestClock("2026-03-02T19:00:00.000Z");
  pos = new ScriptedPos(100);
  stock = new ScriptedStock(100);
  reported.splice(0);
  vi.restoreAllMocks();
  vi.spyOn(log, "error").mockImplementation(
    (message, ...more) =>
      void reported.push({ message, ...withoutMetric(more[0] as unknown as Record<string, unknown>) }),
  );
});

async function run(kind: RecordKind, options: { isFullRead?: boolean } = {}) {
  clock.advance(60_000);
  const connector: Connector = kind === "inventory" ? stock : pos;
  const result = await replicate(table(), connection, connector, kind, { clock, ...options });
  expect(result).toMatchObject({ outcome: "finished" });
  return result;
}

const idOf = (kind: RecordKind, posId: string) => recordId(connection.crbId, kind, connection.posType, posId);
const keyOf = (kind: RecordKind, posId: string) => recordKey(recordList(connection.crbId, kind), idOf(kind, posId));

type Damage = (key: Key, text: string) => Promise<unknown>;
const store =
  (body: unknown): Damage =>
  (key) =>
    table().update(key, { body });
const cut = (text: string) => compressText(text).slice(0, -5);
const damages: [string, Damage][] = [
  ["cut short", (key, text) => store(cut(text))(key, text)],
  ["of other bytes", store(Buffer.from("not a record"))],
  ["of a truncated gzip file", (key, text) => store(gzipSync(text).subarray(0, 50))(key, text)],
  ["of one byte", store(Buffer.of(1))],
  ["that is an empty text", store("")],
  ["with an unknown dictionary", (key, text) => store(Buffer.concat([Buffer.of(9), Buffer.from(text)]))(key, text)],
  ["of JSON that is cut short", (key, text) => store(compressText(text.slice(0, 40)))(key, text)],
  ["of JSON that is no object", store(compressText("17"))],
  ["of JSON that is null", store("null")],
  ["of JSON of another kind", store(compressText('{"total":1,"data":[]}'))],
  ["of another CRB's record", (key, text) => store(compressText(text.replace(key.sk, randomUUID())))(key, text)],
  ["that is a number", store(17)],
  ["that is missing", (key) => table().change(key, { expression: "REMOVE body" })],
];

const changed =
  (change: (record: Record<string, unknown>) => object): Damage =>
  (key, text) =>
    store(compressText(JSON.stringify(change(JSON.parse(text)))))(key, text);
/** Texts of the right record with another content than their hash says. Pages return them as they are. */
const otherContents: [string, Damage][] = [
  ["that has only an id", changed(({ id }) => ({ id }))],
  ["that lacks fields", changed(({ payments: _payments, local_date: _date, phone: _phone, ...record }) => record)],
  ["with other values", changed((record) => ({ ...record, total_paid: 1, phone: null }))],
];

async function damage(key: Key, how: Damage = damages[0]?.[1] as Damage): Promise<void> {
  const item = await table().get(key, { consistent: true, attributes: ["body"] });
  await how(key, item?.body as string);
}

const call = (operationId: OperationId, query: OperationRequest["query"] = {}, more: Record<string, string> = {}) =>
  given.call(operationId, { path: { crb_id: connection.crbId, ...more }, query });

const posIds = (records: Record<string, string>[]) =>
  records.map((record) => record.pos_customer_id ?? record.pos_sale_id ?? record.name);
const buyer = { customer_id: "" };
const saleOf = (id: string, version = 0) => plainSale(id, version, "2026-03-01T20:00:00.000Z", "1");

/** Replicates seven customers and seven sales of one of them. */
async function givenRecords() {
  const ids = ["1", "2", "3", "4", "5", "6", "7"];
  pos.put("customer", ...ids.map((id) => plainCustomer(id)));
  await run("customer");
  buyer.customer_id = idOf("customer", "1");
  pos.put("sale", ...ids.map((id) => saleOf(id)));
  await run("sale");
}

const digestOf = async (kind: "sales" | "customers") => {
  const intervals = { location: 1, product: 1, customer: 1, inventory: 1, sale: 1 };
  const replications = await readReplications(table(), connection.crbId, intervals);
  return replications.find((one) => one.kind === kind)?.digest;
};
const days = async () => (await readSalesDays(table(), connection.crbId, { offset: 0, limit: 10 })).days;
const rebuild = (options: { isCheck?: boolean; keepsWatermark?: boolean } = {}) =>
  Array.fromAsync(rebuildLists(table(), connection.crbId, { clock, ...options }));
const check = async () => {
  const reports = await rebuild({ isCheck: true });
  return Object.fromEntries(reports.filter(hasDifferences).map(({ list, differences }) => [list, differences]));
};

describe.each(sampleCases(damages, 5))("a record with a stored text %s", (_, how) => {
  test("is left out of lists, searches and changes, counted, and reported by its key alone", async () => {
    await givenRecords();
    await damage(keyOf("sale", "4"), how);
    await damage(keyOf("customer", "4"), how);
    const { pk, sk } = keyOf("customer", "4");
    for (const [operationId, query] of [
      ["listCrbCustomers", {}],
      ["listCrbSales", {}],
      ["listCrbSales", { start_date: "2026-03-01" }],
      ["listCrbSales", { start_date: "2026-03-01", last_updated_from: "2026-03-01" }],
      ["listCrbSales", buyer],
      ["listCrbSales", { pos_customer_id: "1", start_date: "2026-03-01" }],
    ] as const) {
      const { status, json } = await call(operationId, query);
      expect([operationId, query, status]).toEqual([operationId, query, 200]);
      expect(json.metadata).toEqual({ total: 7, count: "1 - 7" });
      expect(posIds(json.data)).toEqual(["7", "6", "5", "3", "2", "1"]);
      const pages = await Promise.all([0, 3, 6].map((offset) => call(operationId, { ...query, limit: 3, offset })));
      expect(pages.map((page) => page.json.metadata.count)).toEqual(["1 - 3", "4 - 6", "7 - 7"]);
      expect(pages.flatMap((page) => posIds(page.json.data))).toEqual(["7", "6", "5", "3", "2", "1"]);
    }
    const alone = await call("listCrbCustomers", { limit: "1", offset: "3" });
    expect(alone.json).toEqual({ metadata: { total: 7, count: "4 - 4" }, data: [] });
    expect(alone.headers?.Link).toContain('offset=4>; rel="next"');
    expect(reported).toContainEqual({ message: "damaged record", pk, sk });
    for (const report of reported) expect(Object.keys(report as object).sort()).toEqual(["message", "pk", "sk"]);
  });
});

const someDamages = damages.filter((_, i) => i % 5 === 0);

describe.each(someDamages)("a record with a stored text %s", (_, how) => {
  test("does not stop readers of changes, who get it when it is repaired", async () => {
    await givenRecords();
    for (const id of ["1", "4", "7"]) await damage(keyOf("sale", id), how);
    const follow = async (from?: string, limit = 2) => {
      const found: (string | undefined)[] = [];
      let cursor = from;
      for (let hasMore = true; hasMore; ) {
        const { status, json } = await call("listCrbChanges", { limit, cursor }, { kind: "sales" });
        expect(status).toBe(200);
        expect(json.cursor).not.toBe(cursor);
        found.push(...posIds(json.data));
        ({ cursor, has_more: hasMore } = json);
      }
      return { found, cursor };
    };
    const { found, cursor } = await follow();
    expect(found).toEqual(["2", "3", "5", "6"]);
    expect((await follow(undefined, 1)).found).toEqual(found);
    await run("sale", { isFullRead: true });
    expect((await follow(cursor)).found.sort()).toEqual(["1", "4", "7"]);
  });
});

describe.each(sampleCases([...someDamages, ...otherContents], 2))("a record with a stored text %s", (_, how) => {
  test("gets 500 when it is requested, and its repair gets 200", async () => {
    await givenRecords();
    await damage(keyOf("customer", "4"), how);
    const get = () => call("getCrbCustomer", {}, { customer_id: idOf("customer", "4") });
    expect(await get()).toMatchObject({ status: 500, json: { code: "unexpected" } });
    await run("customer", { isFullRead: true });
    expect(await get()).toMatchObject({ status: 200, json: { pos_customer_id: "4" } });
  });

  test("is written again by a full reading, with the digest and totals of all records", async () => {
    await givenRecords();
    pos.put("sale", saleOf("3", 5));
    await run("sale");
    // The second full reading stores fingerprints, which would hide the damage.
    for (let i = 0; i < 2; i++) await run("sale", { isFullRead: true });
    for (const id of ["3", "4"]) await damage(keyOf("sale", id), how);
    await damage(keyOf("customer", "4"), how);
    const before = await days();
    expect(await check()).toMatchObject({ sale: { damaged: 2 }, customer: { damaged: 1 } });
    expect(await run("sale", { isFullRead: true })).toMatchObject({ changed: 2, unchanged: 5 });
    expect(await run("customer", { isFullRead: true })).toMatchObject({ changed: 1, unchanged: 6 });
    expect(await check()).toEqual({});
    const { digest: _one, svc_updated_date: _at, revision: _revision, ...figures } = before[0] ?? expect.fail();
    expect(await days()).toEqual([expect.objectContaining({ ...figures, digest: await digestOf("sales") })]);
    const { json } = await call("listCrbSales", { ...buyer, start_date: "2026-03-01" });
    expect(json.data).toHaveLength(7);
  });

  test("that has also changed in the POS is written, and the list has no digest until its rebuild", async () => {
    await givenRecords();
    await damage(keyOf("sale", "4"), how);
    pos.put("sale", plainSale("4", 5, "2026-02-27T20:00:00.000Z", "2"), saleOf("8"));
    await run("sale");
    const message = "a damaged record has changed: rebuild the list";
    expect(reported).toContainEqual(expect.objectContaining({ message }));
    expect(await digestOf("sales")).toBeNull();
    await expect(days()).rejects.toMatchObject({ kind: "unavailable" });
    await rebuild();
    expect(await check()).toEqual({});
    expect((await days()).map(({ date, records, total_paid }) => [date, records, total_paid])).toEqual([
      ["2026-03-01", 7, 7_000],
      ["2026-02-27", 1, 1_005],
    ]);
    expect((await call("listCrbSales", buyer)).json.metadata.total).toBe(7);
  });

  test("stays in its list when the list is rebuilt, with its index entries, digest and day", async () => {
    await givenRecords();
    const digest = await digestOf("customers");
    const before = await days();
    await damage(keyOf("customer", "4"), how);
    await damage(keyOf("sale", "4"), how);
    await rebuild({ keepsWatermark: true });
    expect(await digestOf("customers")).toBe(digest);
    expect(await days()).toEqual(before);
    expect((await call("listCrbSales", buyer)).json.metadata.total).toBe(7);
    expect((await call("listCrbCustomers")).json.metadata).toEqual({ total: 7, count: "1 - 7" });
    await run("sale", { isFullRead: true });
    await run("customer", { isFullRead: true });
    expect(await check()).toEqual({});
  });
});

test("a search of customers counts a damaged match and leaves it out, on every page", async () => {
  await givenRecords();
  const item = await table().get(keyOf("customer", "1"), { consistent: true });
  const { phone: _phone, email_address, ...record } = JSON.parse(item?.body as string);
  expect(record.id).toBe(idOf("customer", "1"));
  await damage(keyOf("customer", "1"));
  const read = async (offset: number) =>
    (await searchCustomers(table(), connection.crbId, { email: email_address }, { offset, limit: 1 })).read();
  expect(await read(0)).toEqual({ total: 1, records: [damagedText] });
  expect(await read(1)).toEqual({ total: 1, records: [] });
});

describe("the inventory of locations", () => {
  const at = (posId: string) => locationInventoryList(connection.crbId, idOf("location", posId));
  const location = { pos_location_id: "101", name: "Floor", pos_location_type: null, pos_updated_date: null };

  async function givenStock() {
    pos.put("location", location);
    await run("location");
    stock.put(...["1", "2", "3"].map((id) => stockOf(id, { 101: 5 })));
    await run("inventory");
  }
  const atLocation = (query: Record<string, string> = {}) =>
    call("listCrbLocationInventory", query, { location_id: idOf("location", "101") });

  test("stays readable if the record of its location, a product or a package is damaged", async () => {
    await givenStock();
    await damage(keyOf("location", "101"));
    await damage(recordKey(at("101"), idOf("inventory", "2")));
    const { status, json } = await atLocation({ expand: "true" });
    expect([status, json.metadata]).toEqual([200, { total: 3, count: "1 - 3" }]);
    expect(posIds(json.data)).toEqual(["Package 3", "Package 1"]);
    const locations = await call("listCrbInventoryLocations");
    expect(locations.json).toEqual({ metadata: { total: 1, count: "1 - 1" }, data: [] });
  });

  test("is replicated and kept by days although a package is damaged, and repaired by a rebuild", async () => {
    await givenStock();
    await damage(keyOf("inventory", "1"));
    await damage(recordKey(at("101"), idOf("inventory", "2")));
    clock.advance(24 * 3_600_000);
    stock.put(stockOf("3", { 101: 9 }));
    await run("inventory");
    const past = await atLocation({ date: "2026-03-02" });
    expect(past.json.metadata).toEqual({ total: 3, count: "1 - 3" });
    expect(past.json.data.map(({ name, quantity }: Record<string, unknown>) => [name, quantity])).toEqual([
      ["Package 3", 5],
      ["Package 1", 5],
    ]);
    await run("inventory", { isFullRead: true });
    await rebuild();
    expect(await check()).toEqual({});
    expect((await atLocation()).json.data).toHaveLength(3);
    expect((await call("listCrbInventory")).json.data).toHaveLength(3);
  });

  test("keeps the quantity of a damaged package that the POS no longer has", async () => {
    await givenStock();
    await damage(keyOf("inventory", "1"));
    for (const id of ["1", "2"]) stock.stock.delete(id);
    stock.put(...["4", "5", "6"].map((id) => stockOf(id, { 101: 1 })));
    await run("inventory");
    await run("inventory");
    const { json } = await call("listCrbInventory");
    const quantities = json.data.map((record: Record<string, unknown>) => [record.name, record.total_quantity]);
    const expected = { "Package 2": 0, "Package 3": 5, "Package 4": 1, "Package 5": 1, "Package 6": 1 };
    expect(quantities.sort()).toEqual(Object.entries(expected));
    expect((await check()).inventory).toMatchObject({ damaged: 1, digests: 0 });
  });
});

test("an erasure fails before it begins if the record of the customer is damaged, and succeeds after the repair", async () => {
  await givenRecords();
  await damage(keyOf("customer", "1"));
  const erase = () => eraseCustomer(table(), connection.crbId, idOf("customer", "1"), { clock });
  await expect(erase()).rejects.toThrow(DamagedRecordError);
  await run("customer", { isFullRead: true });
  await damage(keyOf("sale", "4"));
  await expect(erase()).rejects.toThrow(DamagedRecordError);
  await run("sale", { isFullRead: true });
  expect(await erase()).toMatchObject({ stored: true });
  const sales = (await call("listCrbSales")).json.data;
  expect(sales).toHaveLength(7);
  expect(JSON.stringify(sales)).not.toContain(idOf("customer", "1"));
});

test("a product is left out of its list, and is null in inventory; an export waits for its repair", async () => {
  const { crbId, write, create, run: exportOnce, read, call: ask, clock: exportClock } = await givenExports(table());
  await write("product", [1, 2, 3]);
  await write("inventory", [11, 12], { product_id: recordIdOf(2) });
  await damage(recordKey(recordList(crbId, "product"), recordIdOf(2)));
  const products = (await ask("listCrbProducts")).json;
  expect(products.metadata).toEqual({ total: 3, count: "1 - 3" });
  expect(products.data.map(({ id }: { id: string }) => id)).toEqual([recordIdOf(3), recordIdOf(1)]);
  const { data } = (await ask("listCrbInventory", { query: { expand: "true" } })).json;
  expect(data.map(({ product }: { product: unknown }) => product)).toEqual([null, null]);

  const { id } = await create(["products"]);
  expect(await exportOnce(id)).toMatchObject({ outcome: "retries" });
  expect(await read(id)).toMatchObject({ parts: [] });
  await write("product", [2]);
  exportClock.advance(3_600_000);
  // The repair is a change after the beginning of this export.
  expect(await exportOnce(id)).toEqual({ outcome: "ready", records: 2 });
  const later = await create(["products"]);
  expect(await exportOnce(later.id)).toEqual({ outcome: "ready", records: 3 });
});

test("a purge removes damaged records", async () => {
  await givenRecords();
  await damage(keyOf("customer", "4"));
  await damage(keyOf("sale", "4"));
  await purgeRecords(table(), connection.crbId, () => undefined);
  for (const kind of ["customer", "sale"] as const)
    expect(await table().queryPartition(recordList(connection.crbId, kind).pk)).toEqual([]);
});
