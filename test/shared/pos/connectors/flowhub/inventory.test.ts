import { describe, expect, test } from "vitest";
import { PosError } from "../../../../../shared/pos/connector.ts";
import {
  inventoryKey,
  roomType,
  StockPackages,
  StockRooms,
} from "../../../../../shared/pos/connectors/flowhub/inventory.ts";
import { stockRow } from "../../../../../shared/pos/connectors/flowhub/responses.ts";
import { dropPartialPackages } from "../../../../../shared/pos/framework/dropPartialPackages.ts";

describe("inventory", () => {
  const rows = (...fields: object[]) =>
    fields.map((more) => stockRow.parse({ productId: "p", regulatoryId: "tag", ...more }));
  const listOf = (stock: ReturnType<typeof rows>) => {
    const packages = new StockPackages(null);
    for (const row of stock) packages.take(row);
    return packages.list();
  };

  test("rows that differ only in the room are one package", () => {
    const { records } = listOf(
      rows(
        { roomId: "a", roomName: "Floor", quantity: 0.1, forSale: true, productUpdatedAt: "2026-03-01T00:00:00Z" },
        { roomId: "b", roomName: "Vault", quantity: 0.2, forSale: false, productUpdatedAt: "2026-03-02T00:00:00Z" },
        { roomId: "c", quantity: 0 },
        { regulatoryId: "other", roomId: "a", quantity: 4, forSale: true },
      ),
    );
    // In the order of their keys.
    expect(records.toReversed()).toMatchObject([
      {
        pos_inventory_id: "p:tag",
        pos_product_id: "p",
        barcode: "tag",
        total_quantity: 0.3,
        pos_updated_date: "2026-03-02T00:00:00.000Z",
        location_data: [
          { pos_location_id: "a", name: "Floor", pos_location_type: "for sale", quantity: 0.1 },
          { pos_location_id: "b", name: "Vault", pos_location_type: "not for sale", quantity: 0.2 },
        ],
      },
      { pos_inventory_id: "p:other", total_quantity: 4 },
    ]);
  });

  test("a package with a row without an amount is left out, but determines the type of its rooms", () => {
    const list = listOf(
      rows(
        { roomId: "a", quantity: 1, forSale: false },
        { roomId: "b", quantity: null },
        { regulatoryId: "other", roomId: "a", quantity: 4, forSale: true },
      ),
    );
    const whole = dropPartialPackages({ ...list, complete: true, watermark: "", asOf: null, readAll: true });
    expect(whole.rejected).toEqual([{ posId: "p:tag", field: "quantity", reason: "no_quantity" }]);
    expect(whole.records).toMatchObject([
      { pos_inventory_id: "p:other", location_data: [{ pos_location_type: null }] },
    ]);
    expect(whole.records).toHaveLength(1);
    const others = { ...list, records: [], hasMore: true, complete: true, watermark: "", asOf: null, readAll: true };
    expect(() => dropPartialPackages(others)).toThrow(PosError);
  });

  test("quantities in a room are added up, and a room with nothing left has no location data", () => {
    const { records } = listOf(
      rows(
        { quantity: 1 },
        { roomId: "a", quantity: 2 },
        { roomId: "b", quantity: 0 },
        { roomId: "a", quantity: 3 },
        { roomId: "c", quantity: -1 },
        { roomId: "c", quantity: 1 },
      ),
    );
    const location_data = [{ pos_location_id: "a", name: "Room a", pos_location_type: null, quantity: 5 }];
    expect(records).toMatchObject([{ total_quantity: 6, location_data }]);
    expect(listOf(rows({ roomId: "a", quantity: 0 })).records).toMatchObject([
      { total_quantity: 0, location_data: [] },
    ]);
  });

  test("a list without rooms has no location data", () => {
    expect(listOf(rows({ quantity: 4 })).records).toMatchObject([{ total_quantity: 4, location_data: null }]);
    const rooms = new StockRooms();
    for (const row of rows({ quantity: 4 })) rooms.take(row);
    expect(rooms.records()).toEqual([]);
  });

  test("the key of a package has its tag, or else its SKU", () => {
    expect(inventoryKey({ productId: "p", regulatoryId: null, sku: "s" })).toBe("p:s");
    expect(inventoryKey({ productId: "p", regulatoryId: null, sku: null })).toBe("p:");
    expect(inventoryKey({ productId: null, regulatoryId: "t", sku: "s" })).toBe(null);
  });

  test.each([
    [[true, true], "for sale"],
    [[false], "not for sale"],
    [[true, false], null],
    [[true, null], null],
    [[null], null],
  ])("rooms with %j for sale have the type %s", (forSale, expected) => {
    expect(roomType(forSale)).toBe(expected);
  });
});
