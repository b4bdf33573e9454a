import { describe, expect, test } from "vitest";
import {
  customerRecord,
  inventoryRecord,
  isNewer,
  placesOf,
  productRecord,
} from "../../../../../shared/pos/connectors/posabit/records.ts";
import { customer, lot } from "../../../../../shared/pos/connectors/posabit/responses.ts";

test.each<[object, object]>([
  [{}, { pos_customer_id: "1", svc_customer_type: null, pos_identification_type: null, loyalty_member: null }],
  [{ birthday: "1990-07-23" }, { dob: "1990-07-23" }],
  [{ zipcode: 80302, address: "1 Pearl" }, { zip_code: "80302" }],
  [{ drivers_license: "D" }, { drivers_license_id: "D", pos_identification_type: "drivers" }],
  [{ loyalty_member: false, loyalty: true }, { loyalty_member: false }],
  [{ loyalty: true }, { loyalty_member: true }],
  [{ loyalty: { points: 3 } }, { loyalty_member: null }],
  [{ gender: "male", updated_at: "2026-04-01T10:00:00.000Z" }, { gender: "Male" }],
])("a customer %j is converted", (fields, expected) => {
  expect(customerRecord(customer.parse({ id: 1, ...fields }))).toMatchObject(expected);
});

describe("a product", () => {
  const record = (fields: object, hasTaxInPrices = false) =>
    productRecord(lot.parse({ id: 5, name: "Gelato", ...fields }), "p", { cost: 1012.34567, hasTaxInPrices });

  test.each<[object, object]>([
    [{}, { pos_product_id: "p", name: "Gelato", price: null, medicated: null, unit_cost: 1012.3457 }],
    [{ name: "" }, { name: "Product p" }],
    [{ price: 3500 }, { price: 3500 }],
    [{ price: -1 }, { price: null }],
    [{ unit: "3.5 g" }, { svc_net_weight_grams: 3.5, pos_unit_of_measure: "g" }],
    [{ unit: "100mg" }, { svc_net_weight_grams: null, pos_unit_of_measure: "mg" }],
    [{ unit: "100mg", category: "Edibles" }, { svc_net_weight_grams: null }],
    [{ unit: "500mg", category: "Cartridges" }, { svc_net_weight_grams: 0.5 }],
    [{ category: "Non-Cannabis" }, { medicated: false, svc_product_category_name: null }],
    [{ category: "Hemp Tea" }, { medicated: null }],
    [{ unit: "1 each" }, { svc_net_weight_grams: null, pos_unit_of_measure: "each" }],
    [{ unit: "each" }, { svc_net_weight_grams: null, pos_unit_of_measure: "each" }],
    [{ category: "Flower" }, { svc_product_category_name: "flower", medicated: true }],
    [{ category: "Accessories" }, { svc_product_category_name: "accessory", medicated: false }],
    [{ image: ["https://images.example.com/1.png"] }, { images: [{ url: "https://images.example.com/1.png" }] }],
  ])("with %j is converted", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("has a price before tax, so one that includes tax is unknown", () => {
    expect(record({ price: 3500 }, true)).toMatchObject({ price: null, unit_cost: 1012.3457 });
  });

  test.each([{ price: 35.5 }, { price: "35.50" }])(
    "with a fraction in its price, which is not in cents, is rejected: %j",
    (fields) => {
      expect(lot.safeParse({ id: 5, ...fields }).error?.issues).toMatchObject([
        { message: "no_cents", path: ["price"] },
      ]);
    },
  );

  test.each<[object, object, boolean]>([
    [{ id: 10 }, { id: 9 }, true],
    [{ id: 9 }, { id: 10 }, false],
    [{ id: 10, active: false }, { id: 9 }, false],
    [{ id: 10, active: false }, { id: 9, active: false }, true],
    [{ id: 9, active: true }, { id: 10, active: false }, true],
  ])("of lot %j is newer than that of lot %j: %j", (one, other, expected) => {
    expect(isNewer(lot.parse(one), lot.parse(other))).toBe(expected);
  });
});

describe("stock", () => {
  const room = (pos_location_id: string, quantity: number) => ({ pos_location_id, name: pos_location_id, quantity });
  const rest = (quantity: number) => ({ pos_location_id: "venue", name: "Venue", quantity });

  test.each<[object, number, object[]]>([
    [{ quantity_on_hand: "7.5" }, 7.5, [rest(7.5)]],
    [{ quantity_on_hand: "0" }, 0, []],
    [{ quantity_on_hand: "-2" }, -2, []],
    [
      {
        quantity_on_hand: "5",
        rooms: [
          ["Safe", "3"],
          ["Floor", 2],
        ],
      },
      5,
      [room("Safe", 3), room("Floor", 2)],
    ],
    [
      {
        quantity_on_hand: "5.3",
        rooms: [
          ["Safe", "0.1"],
          ["Safe", "0.2"],
          ["Floor", 0],
        ],
      },
      5.3,
      [room("Safe", 0.3), rest(5)],
    ],
    [{ quantity_on_hand: "2", rooms: [["Safe", "3"]] }, 2, [room("Safe", 3)]],
  ])("of a lot %j is converted", (fields, total_quantity, location_data) => {
    const row = lot.parse({ id: 5, product_id: 9, name: "Gelato", sku: "S", ...fields });
    const expected = { pos_inventory_id: "5", pos_product_id: "9", name: "Gelato", sku: "S", total_quantity };
    const record = inventoryRecord(row);
    expect(record).toMatchObject(expected);
    expect(record).toHaveProperty(
      "location_data",
      location_data.map((one) => ({ ...one, pos_location_type: null })),
    );
    const named = placesOf(row).map(({ pos_location_id }) => pos_location_id);
    for (const one of location_data as { pos_location_id: string }[]) expect(named).toContain(one.pos_location_id);
  });

  test.each<[object, string]>([
    [{}, "quantity_on_hand"],
    [{ quantity_on_hand: "many" }, "quantity_on_hand"],
    [{ quantity_on_hand: "5", rooms: [["Safe", null]] }, "rooms"],
    [{ quantity_on_hand: "5", rooms: [["", "5"]] }, "rooms"],
  ])("with incomplete quantities is rejected, not set to 0: %j", (fields, field) => {
    expect(inventoryRecord(lot.parse({ id: 5, ...fields }))).toEqual({ field, reason: "no_quantity" });
  });
});
