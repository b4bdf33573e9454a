import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { listInventory } from "../../../shared/api/operations/inventory.ts";
import type { Table } from "../../../shared/store/client.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { interceptCalls, recordId, setFence } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenCrb } from "../callHandler.ts";

const testTable = useTestTable();

/** The operation registry's example, to be stored with other ids. */
const example = (listInventory.success.example as unknown as { data: Record<string, unknown>[] }).data[0] ?? {};

describe("a page of 1,000 inventory records", () => {
  let table: Table;
  let crb: Awaited<ReturnType<typeof givenCrb>>;
  beforeAll(async () => {
    table = testTable();
    crb = await givenCrb(table);
    const key = { pk: "LEASE", sk: crb.crbId };
    await setFence(table, key, 1);
    const options = { fence: { key, number: 1 } };
    // 40 products for 999 records, and one record without; each product's description takes 6,000 bytes.
    const description = `"${"x".repeat(6_000)}"`;
    const product = (number: number) => ({ id: recordId(number), content: { id: recordId(number), description } });
    const products = new RecordWriter(table, recordList(crb.crbId, "product"), options);
    await products.write(Array.from({ length: 40 }, (_, number) => product(number)));
    const record = (number: number) => {
      const id = recordId(1_000 + number);
      const product_id = number === 500 ? null : recordId(number % 40);
      return { id, content: { ...example, id, crb_id: crb.crbId, product_id } };
    };
    const inventory = new RecordWriter(table, recordList(crb.crbId, "inventory"), options);
    await inventory.write(Array.from({ length: 1_000 }, (_, number) => record(number)));
  });
  const get = (query: Record<string, string>) => crb.call("listInventory", { query });

  test("is returned in full without expanded products", async () => {
    const { status, json } = await get({});
    expect([status, json.metadata, json.data.length]).toEqual([200, { total: 1_000, count: "1 - 1000" }, 1_000]);
  });

  test("reads each product once if products are expanded", async () => {
    const calls = interceptCalls(table);
    let keys = 0;
    calls.before = (command, input) => {
      if (command !== "BatchGetItemCommand") return;
      for (const request of Object.values((input as { RequestItems: object }).RequestItems))
        keys += request.Keys.length;
    };
    const { status, json } = await get({ expand: "true", limit: "600" });
    calls.before = () => undefined;
    expect([status, json.data.length]).toEqual([200, 600]);
    // 40 products, the credential, and whether the CRB is restored.
    expect(keys).toBe(42);
    for (const record of json.data) {
      expect(record.product?.id ?? null).toBe(record.product_id);
    }
    expect(json.data.filter(({ product }: { product: unknown }) => product === null)).toHaveLength(1);
  });

  test("gets 422 if it would exceed the platform's limit; the error names the largest limit that fits", async () => {
    const { status, json } = await get({ expand: "true", limit: "1000" });
    expect(status).toBe(422);
    expect(Object.keys(json.fields)).toEqual(["query.limit"]);
    expect(json.fields["query.limit"].value).toBe("1000");
    const fitting = Number(/must be at most (\d+) here/.exec(json.fields["query.limit"].message)?.[1]);
    expect(fitting).toBeGreaterThan(800);
    expect((await get({ expand: "true", limit: String(fitting) })).status).toBe(200);
    expect((await get({ expand: "true", limit: String(fitting + 1) })).status).toBe(422);
  });

  test("does not embed another CRB's products", async () => {
    const other = await givenCrb(table);
    const key = { pk: "LEASE", sk: crb.crbId };
    const writer = new RecordWriter(table, recordList(other.crbId, "inventory"), { fence: { key, number: 1 } });
    const id = randomUUID();
    await writer.write([{ id, content: { ...example, id, crb_id: other.crbId, product_id: recordId(1) } }]);
    const { json } = await other.call("listInventory", { query: { expand: ["true"] } });
    expect(json.data).toMatchObject([{ id, product: null }]);
  });
});
