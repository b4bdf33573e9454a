import { describe, expect, test } from "vitest";
import { inventoryRecord, placesOf } from "../../../../../shared/pos/connectors/treez/inventory.ts";
import { product } from "../../../../../shared/pos/connectors/treez/responses.ts";

describe("inventory", () => {
  const parse = (sellable_quantity_detail: object[], sellable_quantity: number | null = 30) =>
    product.parse({ product_id: "p", sellable_quantity, sellable_quantity_detail });
  const recordOf = (row: ReturnType<typeof parse>) => {
    const found = inventoryRecord(row);
    return "row" in found && found.row;
  };

  test("is listed by location, and the type `ALL` replaces the other types", () => {
    const row = parse([
      { location: "Floor", location_id: "f", inventory_type: "ALL", sellable_quantity: 7 },
      { location: "Floor", location_id: "f", inventory_type: "ADULT", sellable_quantity: 5 },
      { location: "Vault", inventory_type: "ALL", sellable_quantity: 2.5 },
      { location: "Empty", inventory_type: "ALL", sellable_quantity: 0 },
    ]);
    expect(recordOf(row)).toMatchObject({
      pos_inventory_id: "p",
      pos_product_id: "p",
      total_quantity: 9.5,
      pos_updated_date: null,
      barcode: null,
      location_data: [
        { pos_location_id: "f", name: "Floor", quantity: 7 },
        { pos_location_id: "Vault", name: "Vault", quantity: 2.5 },
      ],
    });
    expect(placesOf(row).map(({ pos_location_id }) => pos_location_id)).toEqual(["f", "Vault", "Empty"]);
  });

  test("has both types added up if there is no `ALL`", () => {
    const row = parse([
      { location: "Floor", inventory_type: "ADULT", sellable_quantity: 5 },
      { location: "Floor", inventory_type: "MEDICAL", sellable_quantity: 2 },
    ]);
    expect(recordOf(row)).toMatchObject({ total_quantity: 7, location_data: [{ quantity: 7 }] });
  });

  test.each([
    ["without details", [], 30],
    [
      "whose details have no location",
      [{ inventory_type: "ALL", sellable_quantity: 7 }, { inventory_type: "ADULT" }],
      7,
    ],
  ])("has unknown quantities by location for a product %s", (_, details, total_quantity) => {
    expect(recordOf(parse(details))).toMatchObject({ total_quantity, location_data: null });
  });

  test("of a product with locations but no stock has no quantities by location", () => {
    const details = [{ location: "Floor", sellable_quantity: 0 }];
    expect(recordOf(parse(details))).toMatchObject({ total_quantity: 0, location_data: [] });
  });

  test("of type `ALL` replaces only types of its own location, in any letter case", () => {
    const row = parse([
      { location: "Floor", inventory_type: "All", sellable_quantity: 7 },
      { location: "Floor", inventory_type: "Adult", sellable_quantity: 5 },
      { location: "Vault", inventory_type: "ADULT", sellable_quantity: 2 },
    ]);
    expect(recordOf(row)).toMatchObject({
      total_quantity: 9,
      location_data: [
        { pos_location_id: "Floor", quantity: 7 },
        { pos_location_id: "Vault", quantity: 2 },
      ],
    });
  });

  test.each([
    ["a product", parse([], null)],
    ["one of its locations", parse([{ location: "Floor", sellable_quantity: 2 }, { location: "Vault" }])],
  ])("without an amount for %s is rejected, not set to 0", (_, row) => {
    const rejected = { posId: "p", field: "sellable_quantity", reason: "no_quantity" };
    expect(inventoryRecord(row)).toEqual({ rejected });
  });
});
