import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { PosTypeName } from "../../../shared/api/enumerations.ts";
import type { Table } from "../../../shared/store/client.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { extractCustomerIndexedFields, searchCustomers } from "../../../shared/store/customers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { recordId as idOf } from "../../../shared/store/recordId.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable } from "../../testTable.ts";
import { setFence, TestClock } from "./orderedList/listUnderTest.ts";

const crbId = randomUUID();
const list = recordList(crbId, "customer");
const all = { offset: 0, limit: 1000 };

/** The id of the customer `pos-<number>`. */
const recordId = (number: number, posType: PosTypeName = "Dutchie") =>
  idOf(crbId, "customer", posType, `pos-${number}`);

function customer(number: number, values: Partial<Record<string, string | null>>, posType?: PosTypeName) {
  const id = recordId(number, posType);
  return {
    id,
    content: {
      id,
      pos_customer_id: `pos-${number}`,
      first_name: null,
      last_name: null,
      phone: null,
      cell_phone: null,
      email_address: null,
      svc_created_date: null,
      svc_updated_date: null,
      ...values,
    },
  };
}

describe("customer search", () => {
  let table: Table;
  let writer: RecordWriter;
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const found = async (terms: Parameters<typeof searchCustomers>[2], page = all) => {
    const { total, records } = await (await searchCustomers(table, crbId, terms, page)).read();
    return { total, ids: records.map((record) => JSON.parse(record).id) };
  };
  beforeAll(async () => {
    table = await createTestTable();
    const posConfig = { updated_date: "2026-01-01T00:00:00.000Z", status: "Not Connected" } as const;
    await createCrb(table, {
      record: { ...crbRecord(crbId), pos_configs: [{ name: "Treez", ...posConfig }] },
      serviceProviderId: randomUUID(),
      connection: { posType: "Dutchie", locationId: null, connectedAt: posConfig.updated_date },
    });
    const key = { pk: "LEASE", sk: crbId };
    await setFence(table, key, 1);
    writer = new RecordWriter(table, list, {
      fence: { key, number: 1 },
      clock,
      extractIndexedFields: extractCustomerIndexedFields,
    });
    await writer.write([
      customer(1, { first_name: "ann", last_name: "lee", phone: "h1", cell_phone: "h2" }),
      customer(2, { first_name: "ann", last_name: "roe", phone: "h2", email_address: "e2" }),
      customer(3, { first_name: "bob", last_name: "lee", phone: "h3", cell_phone: "h3" }),
    ]);
  });

  test("finds by each field alone, and by either phone number", async () => {
    expect(await found({ email: "e2" })).toEqual({ total: 1, ids: [recordId(2)] });
    expect(await found({ pos_customer_id: "pos-3" })).toEqual({ total: 1, ids: [recordId(3)] });
    expect((await found({ phone: "h2" })).ids.sort()).toEqual([recordId(1), recordId(2)].sort());
    expect(await found({ phone: "h3" })).toEqual({ total: 1, ids: [recordId(3)] });
    expect(await found({ phone: "h9" })).toEqual({ total: 0, ids: [] });
  });

  test("finds the customers with an id in the POS, of the present and of an earlier connection", async () => {
    await writer.write([customer(5, { first_name: "eve" }, "Treez"), customer(5, { first_name: "ed" })]);
    const ids = [recordId(5), recordId(5, "Treez")];
    expect(await found({ pos_customer_id: "pos-5" })).toEqual({ total: 2, ids });
    // More matches than fit the page come in the order of their ids.
    const second = ids.toSorted().slice(1);
    expect(await found({ pos_customer_id: "pos-5" }, { offset: 1, limit: 1 })).toEqual({ total: 2, ids: second });
    expect(await found({ pos_customer_id: "pos-5", first_name: "eve" })).toEqual({ total: 1, ids: ids.slice(1) });
    expect(await found({ pos_customer_id: "pos-9" })).toEqual({ total: 0, ids: [] });
  });

  test("does not find an erased customer by the id that replaces the one in the POS", async () => {
    const id = idOf(crbId, "customer", "Dutchie", "erased");
    const { content } = customer(6, {});
    await writer.write([{ id, content: { ...content, id, pos_customer_id: "erased", anonymous: true } }]);
    expect(await found({ pos_customer_id: "erased" })).toEqual({ total: 0, ids: [] });
  });

  test("does not find another CRB's customers", async () => {
    expect((await (await searchCustomers(table, randomUUID(), { first_name: "ann" }, all)).read()).total).toBe(0);
  });
});
