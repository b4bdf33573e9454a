import { describe, expect, test } from "vitest";
import { stockRow } from "../../../../shared/pos/flowhub/answers.ts";
import {
  inventoryKey,
  inventoryRecords as inventoryRecordsBut,
  roomRecords,
  roomType,
} from "../../../../shared/pos/flowhub/inventory.ts";

describe("inventory", () => {
  const rows = (...fields: object[]) =>
    fields.map((more) => stockRow.parse({ productId: "p", regulatoryId: "tag", ...more }));
  const inventoryRecords = (of: ReturnType<typeof rows>, unreadable: string[] = []) =>
    inventoryRecordsBut(of, new Set(unreadable));

  test("rows that differ in the room only are one package", () => {
    const found = inventoryRecords(
      rows(
        { roomId: "a", roomName: "Floor", quantity: 0.1, forSale: true, productUpdatedAt: "2026-03-01T00:00:00Z" },
        { roomId: "b", roomName: "Vault", quantity: 0.2, forSale: false, productUpdatedAt: "2026-03-02T00:00:00Z" },
        { roomId: "c", quantity: 0 },
        { regulatoryId: "other", roomId: "a", quantity: 4, forSale: true },
      ),
    );
    expect(found).toMatchObject([
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

  test("a package of which a row could not be read is left out, but tells what its rooms are for", () => {
    const found = inventoryRecords(
      rows(
        { roomId: "a", quantity: 1, forSale: false },
        { regulatoryId: "other", roomId: "a", quantity: 4, forSale: true },
      ),
      ["p:tag"],
    );
    expect(found).toMatchObject([{ pos_inventory_id: "p:other", location_data: [{ pos_location_type: null }] }]);
    expect(found).toHaveLength(1);
  });

  test("a list without rooms", () => {
    expect(inventoryRecords(rows({ quantity: 4 }))).toMatchObject([{ total_quantity: 4, location_data: null }]);
    expect(roomRecords(rows({ quantity: 4 }))).toEqual([]);
  });

  test("keys", () => {
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
  ])("rooms where %j is for sale are %s", (forSale, expected) => {
    expect(roomType(forSale)).toBe(expected);
  });
});
