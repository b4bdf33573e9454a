import { describe, expect, test } from "vitest";
import { inventoryRecord, roomRecord, roomsOf } from "../../../../../shared/pos/connectors/dutchie/inventory.ts";
import { inventoryRow, room } from "../../../../../shared/pos/connectors/dutchie/responses.ts";

describe("inventory and rooms", () => {
  const rooms = new Map([
    ["11", roomRecord(room.parse({ roomId: 11, roomName: "Floor", isSalesFloor: true, isVaultRoom: true }), "4101")],
  ]);

  test("a package is split by rooms", () => {
    const row = inventoryRow.parse({
      inventoryId: 7,
      productId: 9,
      quantityAvailable: 3.25,
      packageId: "P",
      roomQuantities: [
        { roomId: 11, room: "old name", quantityAvailable: 1.25 },
        { roomId: 12, room: "Back", quantityAvailable: 2 },
        { roomId: 13, room: "Empty", quantityAvailable: 0 },
        { roomId: null, quantityAvailable: 5 },
      ],
    });
    const found = inventoryRecord(row, "4101", rooms);
    expect("row" in found && found.row).toEqual({
      pos_inventory_id: "4101:7",
      pos_product_id: "9",
      name: "Product 9",
      sku: null,
      barcode: "P",
      total_quantity: 3.25,
      pos_updated_date: null,
      location_data: [
        {
          pos_key: "4101:11",
          pos_location_id: "11",
          name: "Floor",
          pos_location_type: "Sales Floor, Vault",
          quantity: 1.25,
        },
        { pos_key: "4101:12", pos_location_id: "12", name: "Back", pos_location_type: null, quantity: 2 },
      ],
    });
    expect(roomsOf([row], "4101").map(({ pos_key, name }) => [pos_key, name])).toEqual([
      ["4101:11", "old name"],
      ["4101:12", "Back"],
      ["4101:13", "Empty"],
    ]);
  });

  test("a package without rooms has no location data", () => {
    const row = inventoryRow.parse({ inventoryId: 7, externalPackageId: "T", packageId: "P", quantityAvailable: 0 });
    const expected = { barcode: "T", total_quantity: 0, location_data: null };
    expect(inventoryRecord(row, "4101", rooms)).toMatchObject({ row: expected });
  });

  test.each([
    ["quantityAvailable", { quantityAvailable: null }],
    ["quantityAvailable", { quantityAvailable: "some" }],
    ["roomQuantities", { quantityAvailable: 5, roomQuantities: [{ roomId: 11, quantityAvailable: null }] }],
  ])("a package without an amount in its %s is rejected, not set to 0: %j", (field, more) => {
    const row = inventoryRow.parse({ inventoryId: 7, ...more });
    const rejected = { posId: "4101:7", field, reason: "no_quantity" };
    expect(inventoryRecord(row, "4101", rooms)).toEqual({ rejected });
  });

  test("the purposes of a room are listed in one order", () => {
    const flags = [
      "isWaitingRoom",
      "isQuarantineRoom",
      "isEcommerceRoom",
      "isPreOrderRoom",
      "isInventoryRoom",
      "isVaultRoom",
      "isPOSRoom",
      "isSalesFloor",
    ];
    const all = room.parse({ roomId: 1, ...Object.fromEntries(flags.map((flag) => [flag, true])) });
    expect(roomRecord(all, "1")).toMatchObject({
      name: "Room 1",
      pos_location_type: "Sales Floor, POS, Vault, Inventory, Pre-Order, E-Commerce, Quarantine, Waiting",
    });
    expect(roomRecord(room.parse({ roomId: 1 }), "1").pos_location_type).toBe(null);
  });
});
