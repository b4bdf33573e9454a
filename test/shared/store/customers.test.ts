import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createCrb } from "../../../shared/store/crbs.ts";
import { searchCustomers } from "../../../shared/store/customers.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable } from "../../testTable.ts";
import { newList } from "./orderedList/listUnderTest.ts";

const table = await createTestTable();
const crbId = randomUUID();
beforeAll(async () => {
  const posConfig = { updated_date: "2026-01-01T00:00:00.000Z", status: "Not Connected" } as const;
  await createCrb(table, {
    record: { ...crbRecord(crbId), pos_configs: [{ name: "Treez", ...posConfig }] },
    serviceProviderId: randomUUID(),
    connection: { posType: "Dutchie", locationId: null, connectedAt: posConfig.updated_date },
  });
  const { writer } = await newList(table, { crbId, ...indexingOptions.customer });
  const customer = (posType: "Dutchie" | "Treez", posId: string, values: object) => {
    const id = recordId(crbId, "customer", posType, posId);
    return { id, content: { id, pos_customer_id: posId, ...values, svc_created_date: null, svc_updated_date: null } };
  };
  await writer().write([
    customer("Dutchie", "3", { first_name: "ann", last_name: "lee", phone: "h1", cell_phone: "h2" }),
    customer("Dutchie", "4", { first_name: "bob", last_name: "roe", phone: "h2", email_address: "e4" }),
    customer("Treez", "5", { first_name: "eve" }),
    customer("Dutchie", "5", { first_name: "ed" }),
    customer("Dutchie", "erased", { first_name: null, anonymous: true }),
  ]);
});

async function find(terms: Parameters<typeof searchCustomers>[2], page = { offset: 0, limit: 1000 }) {
  const { total, records } = await (await searchCustomers(table, crbId, terms, page)).read();
  return { total, ids: records.map((record) => JSON.parse(record).id) };
}

test.each([
  [{ first_name: "ann" }, ["3"]],
  [{ last_name: "roe" }, ["4"]],
  [{ email: "e4" }, ["4"]],
  [{ phone: "h1" }, ["3"]],
  [{ phone: "h2" }, ["4", "3"]],
  [{ phone: "h9" }, []],
])("a search finds customers by %j, either phone number", async (terms, posIds) => {
  const ids = posIds.map((posId) => recordId(crbId, "customer", "Dutchie", posId));
  expect(await find(terms)).toEqual({ total: ids.length, ids });
});

test("a search finds the customers with an id in the POS, of the present and of an earlier connection", async () => {
  const ids = (["Dutchie", "Treez"] as const).map((posType) => recordId(crbId, "customer", posType, "5"));
  expect(await find({ pos_customer_id: "5" })).toEqual({ total: 2, ids });
  // More matches than fit the page come in the order of their ids.
  const second = ids.toSorted().slice(1);
  expect(await find({ pos_customer_id: "5" }, { offset: 1, limit: 1 })).toEqual({ total: 2, ids: second });
  expect(await find({ pos_customer_id: "5", first_name: "eve" })).toEqual({ total: 1, ids: ids.slice(1) });
  expect(await find({ pos_customer_id: "9" })).toEqual({ total: 0, ids: [] });
});

test("a search does not find an erased customer by the id that replaces the one in the POS", async () => {
  expect(await find({ pos_customer_id: "erased" })).toEqual({ total: 0, ids: [] });
});
