import { describe, expect, test } from "vitest";
import { getProduct } from "../../../../shared/api/operations/products.ts";
import { inventory, locationInventory } from "../../../../shared/api/schemas/inventory.ts";
import { testRecordRules } from "./recordRules.ts";
import { badDateTimes, badIds, badLocalDateTimes, dateTime, id, localDateTime, otherId } from "./values.ts";

const stock = {
  id,
  crb_id: otherId,
  pos_type: "Dutchie",
  product_id: id,
  name: "Haze",
  sku: "A-1",
  barcode: "1A40",
  total_quantity: 12.75,
  pos_updated_date: dateTime,
  pos_updated_date_local: localDateTime,
  svc_created_date: dateTime,
  svc_updated_date: dateTime,
};
const product = getProduct.success.example;
const nullable = ["product_id", "sku", "barcode", "pos_updated_date", "pos_updated_date_local", "product"];
const rejected = {
  product_id: badIds,
  total_quantity: [-0.01, "12.75"],
  pos_updated_date: badDateTimes,
  pos_updated_date_local: badLocalDateTimes,
  product: [{}, { ...product, id: null }],
};
const quantity = { quantity: [-1, 0.5, 2 ** 31] };
const place = { name: "Vault", quantity: 0, location_id: otherId, pos_location_type: "Vault" };

describe("Inventory", () => {
  testRecordRules({
    schema: inventory,
    record: { ...stock, location_data: [place], product },
    nullable,
    optional: ["location_data", "product"],
    rejected: { ...rejected, location_data: [[null], {}] },
  });

  test("has no quantity of its own, and accepts empty location data", () => {
    expect(inventory.safeParse({ ...stock, quantity: 1 }).success).toBe(false);
    expect(inventory.parse({ ...stock, location_data: [] })).toEqual({ ...stock, location_data: [] });
  });
});

describe("Inventory's location_data", () =>
  testRecordRules({
    schema: inventory.shape.location_data.unwrap().element,
    record: place,
    nullable: ["name", "pos_location_type"],
    rejected: { location_id: badIds, ...quantity },
  }));

describe("LocationInventory", () => {
  testRecordRules({
    schema: locationInventory,
    record: { ...stock, quantity: 0, product },
    nullable,
    optional: ["product"],
    rejected: { ...rejected, ...quantity },
  });

  test("has no location data", () => {
    expect(locationInventory.safeParse({ ...stock, quantity: 1, location_data: [] }).success).toBe(false);
  });
});
