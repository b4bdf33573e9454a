import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { customer as customerSchema } from "../../../../shared/api/schemas/customer.ts";
import { inventory as inventorySchema } from "../../../../shared/api/schemas/inventory.ts";
import { inventoryLocation as locationSchema } from "../../../../shared/api/schemas/inventoryLocation.ts";
import { product as productSchema } from "../../../../shared/api/schemas/product.ts";
import { retailSale, wholesaleSale } from "../../../../shared/api/schemas/sale.ts";
import { normalizeInventory, withoutStock } from "../../../../shared/domain/replication/normalizeInventory.ts";
import { renderLocation } from "../../../../shared/domain/replication/normalizeLocation.ts";
import { normalizeProduct } from "../../../../shared/domain/replication/normalizeProduct.ts";
import { normalizeSale } from "../../../../shared/domain/replication/normalizeSale.ts";
import { replicatedKinds } from "../../../../shared/domain/replication/replicatedKinds.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import {
  emptyProduct,
  emptySaleCustomer,
  type PosInventory,
  type PosRetailSale,
} from "../../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { renderBody } from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { sampleCases } from "../../../thorough.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { plainSale } from "./scriptedPos.ts";

useTestServiceKey();

const { crbId, posType } = testConnection;
const dates = { created: "2026-03-01T01:00:00.000Z", updated: "2026-03-01T01:00:00.000Z" };

/** The records of the sandbox; a part of them under `npm test`. */
async function* recordsOf(kind: RecordKind, connection: Connection) {
  const sandbox = sandboxConnector(15);
  const pull = (position: string | null) =>
    sandbox.pull(connection, { kind, since: null, position, now: new Date("2026-03-01T06:00:00.000Z") });
  const first = await pull(null);
  // A position is the number of records before it.
  const pageCount = Math.ceil((first.total ?? 0) / first.records.length);
  const positions = Array.from({ length: pageCount }, (_, i) => String(i * first.records.length));
  for (const position of sampleCases(positions, 2)) yield* sampleCases((await pull(position)).records, 100);
}

/** The names of all fields, at any depth, in order. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf);
  if (value === null || typeof value !== "object") return null;
  return Object.entries(value).map(([name, part]) => [name, fieldsOf(part)]);
}

describe.each(["retail", "wholesale"] as const)(
  "all %s records of the sandbox fit the specification",
  (businessType) => {
    const connection = { ...testConnection, businessType };
    const kinds: [RecordKind, z.ZodObject][] = [
      ["customer", customerSchema],
      ["location", locationSchema],
      ["product", productSchema],
      ["inventory", inventorySchema],
      ["sale", businessType === "retail" ? retailSale : wholesaleSale],
    ];

    test.each(kinds)("%s: all fields, in the specification's order", async (kind, schema) => {
      const { normalize } = replicatedKinds[kind] as unknown as (typeof replicatedKinds)["sale"];
      for await (const record of recordsOf(kind, connection)) {
        const written = normalize(connection, record as never) ?? expect.fail("no record");
        const render = kind === "location" ? renderLocation(connection.timezone) : renderBody;
        const text = JSON.parse(render(written.content, dates));
        const parsed = schema.parse(text);
        // The schema returns the fields in its own order.
        expect(fieldsOf(text)).toEqual(fieldsOf(parsed));
        expect(text.id).toBe(written.id);
      }
    });
  },
);

const inventoryOf = (record: PosInventory) => normalizeInventory(testConnection, record) ?? expect.fail("no record");

const posSale = plainSale("77", 0, "2026-03-08T09:00:00.000Z", "82057");

describe("a sale", () => {
  // Daylight saving time in 2026 is from March 8 to November 1, at 02:00 of each zone. The offsets are those of the
  // IANA time zone database.
  test.each([
    ["America/New_York", "2026-03-08T06:59:59.999Z", "2026-03-08 01:59:59.999"],
    ["America/New_York", "2026-03-08T07:00:00.000Z", "2026-03-08 03:00:00.000"],
    ["America/New_York", "2026-03-08T04:59:59.999Z", "2026-03-07 23:59:59.999"],
    ["America/New_York", "2026-03-09T03:59:59.999Z", "2026-03-08 23:59:59.999"],
    ["America/New_York", "2026-03-09T04:00:00.000Z", "2026-03-09 00:00:00.000"],
    ["America/New_York", "2026-11-01T05:59:59.999Z", "2026-11-01 01:59:59.999"],
    ["America/New_York", "2026-11-01T06:00:00.000Z", "2026-11-01 01:00:00.000"],
    ["America/New_York", "2026-11-02T04:59:59.999Z", "2026-11-01 23:59:59.999"],
    ["America/Denver", "2026-03-08T08:59:59.999Z", "2026-03-08 01:59:59.999"],
    ["America/Denver", "2026-03-08T09:00:00.000Z", "2026-03-08 03:00:00.000"],
    ["America/Denver", "2026-03-09T06:00:00.000Z", "2026-03-09 00:00:00.000"],
    ["America/Denver", "2026-11-01T06:00:00.000Z", "2026-11-01 00:00:00.000"],
    ["America/Denver", "2026-11-01T08:00:00.000Z", "2026-11-01 01:00:00.000"],
    ["America/Denver", "2026-11-02T06:59:59.999Z", "2026-11-01 23:59:59.999"],
    ["Pacific/Honolulu", "2026-03-08T09:59:59.999Z", "2026-03-07 23:59:59.999"],
    ["Pacific/Honolulu", "2026-03-08T10:00:00.000Z", "2026-03-08 00:00:00.000"],
    ["Pacific/Honolulu", "2026-11-01T12:00:00.000Z", "2026-11-01 02:00:00.000"],
  ])("in %s at %s has the local time %s", (timezone, date, local) => {
    expect(normalizeSale({ ...testConnection, timezone }, { ...posSale, date })?.content.local_date).toBe(local);
  });

  test("refers to customer and products by the ids of their records", () => {
    expect(normalizeSale(testConnection, posSale)?.content).toMatchObject({
      crb_id: crbId,
      pos_sale_id: "77",
      pos_name: posType,
      customer: { customer_id: recordId(crbId, "customer", posType, "82057"), pos_customer_id: "82057" },
      line_items: [{ product_id: recordId(crbId, "product", posType, "1"), pos_product_id: "1" }],
      compliance_status: "unchecked",
    });
  });

  test("without a customer has no customer id", () => {
    const sale = { ...posSale, customer: emptySaleCustomer } as PosRetailSale;
    const { content } = normalizeSale(testConnection, sale) ?? expect.fail("no record");
    expect(content.customer).toEqual({ customer_id: null, ...emptySaleCustomer });
  });

  test.each(["1999-12-31T12:00:00.000Z", "soon"])("at %s cannot be stored", (date) => {
    expect(normalizeSale(testConnection, { ...posSale, date })).toBeNull();
  });
});

const posInventory: PosInventory = {
  pos_inventory_id: "9",
  pos_product_id: "8",
  name: "House Flower",
  sku: null,
  barcode: "1A4",
  total_quantity: 12.5,
  pos_updated_date: "2026-07-01T05:30:00.000Z",
  location_data: [
    { pos_location_id: "102", name: "Vault", pos_location_type: null, quantity: 9.5 },
    { pos_location_id: "101", name: "Floor", pos_location_type: "Sales Floor", quantity: 3.4 },
    { pos_location_id: "103", name: "Back", pos_location_type: null, quantity: -0.4 },
  ],
};

describe("inventory", () => {
  test("keeps the decimals of its total, and rounds the quantities of locations half up, in the order of the locations' ids", () => {
    const { content } = inventoryOf(posInventory);
    expect(content).toMatchObject({
      total_quantity: 12.5,
      product_id: recordId(crbId, "product", posType, "8"),
      pos_updated_date_local: "2026-06-30 23:30:00.000",
      location_data: [
        { name: "Floor", quantity: 3, location_id: recordId(crbId, "location", posType, "101") },
        { name: "Vault", quantity: 10, location_id: recordId(crbId, "location", posType, "102") },
        { name: "Back", quantity: 0 },
      ],
    });
  });

  test("has no quantity below 0", () => {
    const location = { pos_location_id: "102", name: null, pos_location_type: null };
    const quantities = (quantity: number) => {
      const record = { ...posInventory, total_quantity: quantity, location_data: [{ ...location, quantity }] };
      const { content } = inventoryOf(record);
      return [content.total_quantity, (content.location_data as { quantity: number }[])[0]?.quantity];
    };
    expect(quantities(-3)).toEqual([0, 0]);
    expect(quantities(2 ** 31 - 1)).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
  });

  test("is rejected if a location has more than the specification's maximum, also as a sum", () => {
    const location = { pos_location_id: "102", name: null, pos_location_type: null };
    const normalized = (...quantities: number[]) =>
      normalizeInventory(testConnection, {
        ...posInventory,
        location_data: quantities.map((quantity) => ({ ...location, quantity })),
      });
    expect([normalized(2 ** 31), normalized(810_012_345_678), normalized(2e9, 2e9)]).toEqual([null, null, null]);
    expect(normalized(2e9, -1e9)).not.toBeNull();
    expect(replicatedKinds.inventory.refuses).toEqual({ field: "location_data", reason: "out_of_range" });
  });

  test("without product or locations has no product id and no list of locations", () => {
    const { content } = inventoryOf({ ...posInventory, pos_product_id: null, location_data: null });
    expect(content.product_id).toBeNull();
    expect("location_data" in content).toBe(false);
  });

  test("without stock keeps all other fields", () => {
    const { content } = inventoryOf(posInventory);
    const gone = withoutStock({ ...content, svc_created_date: dates.created, svc_updated_date: dates.updated });
    const locations = content.location_data as object[];
    expect(gone).toEqual({
      ...content,
      total_quantity: 0,
      location_data: locations.map((location) => ({ ...location, quantity: 0 })),
    });
    expect(Object.keys(gone)).toEqual(Object.keys(content));
  });
});

test("a location has its creation date in local time too", () => {
  const render = renderLocation("America/Denver");
  expect(
    JSON.parse(render({ id: "1", svc_created_date: null, svc_created_date_local: "America/Denver" }, dates)),
  ).toEqual({
    id: "1",
    svc_created_date: "2026-03-01T01:00:00.000Z",
    svc_created_date_local: "2026-02-28 18:00:00.000",
  });
});

test("a price tier has its end in local time too", () => {
  const tier = {
    tier_name: null,
    tier_price: 900,
    pos_tier_type: "weight",
    pos_tier_type_condition_value: ">=28",
    tier_valid_until_date: "2026-07-01T05:30:00.000Z",
  };
  const { content } = normalizeProduct(testConnection, {
    ...emptyProduct,
    pos_product_id: "8",
    name: "House Flower",
    svc_product_category_name: "flower",
    medicated: true,
    unit_cost: 410.25,
    price_tiers: [tier],
  });
  expect(content).toMatchObject({
    id: recordId(crbId, "product", posType, "8"),
    unit_cost: 410.25,
    price_tiers: [{ ...tier, tier_valid_until_date_local: "2026-06-30 23:30:00.000" }],
    images: null,
  });
});
