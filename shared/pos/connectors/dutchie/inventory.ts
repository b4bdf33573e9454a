import { prefixed, type ReadRow } from "../../framework/readRow.ts";
import {
  type PosInventory,
  type PosLocation,
  type PosLocationQuantity,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import type { InventoryRow, Room } from "./responses.ts";

// Record keys contain the location's id: a business may have two Dutchie locations, and each location probably numbers
// its rooms, packages and sales separately.

export function keyAt(locationId: string, id: string): string {
  return `${locationId}:${id}`;
}

/** Derives the key of a row from its id field, even if the rest of the row is unreadable. */
export const keyOf = (locationId: string, idField: string) => prefixed(keyAt(locationId, ""), idField);

/**
 * Rejects a package without an amount in total or in a room: a missing amount does not mean 0.
 *
 * @param rooms by id; empty if the key may not read rooms
 */
export function inventoryRecord(
  row: InventoryRow,
  locationId: string,
  rooms: ReadonlyMap<string, PosLocation>,
): ReadRow<PosInventory> {
  const posId = keyAt(locationId, row.inventoryId);
  const rejected = (field: string) => ({ rejected: { posId, field, reason: "no_quantity" } });
  if (row.quantityAvailable === null) return rejected("quantityAvailable");
  if (row.roomQuantities?.some((entry) => entry.quantityAvailable === null)) return rejected("roomQuantities");
  const record = {
    pos_inventory_id: posId,
    pos_product_id: row.productId,
    name: row.productName ?? `Product ${row.productId ?? row.inventoryId}`,
    sku: row.sku,
    barcode: row.externalPackageId ?? row.packageId,
    total_quantity: row.quantityAvailable,
    pos_updated_date: row.lastModifiedDateUtc,
    location_data: row.roomQuantities?.flatMap((entry) => quantityIn(entry, locationId, rooms)) ?? null,
  };
  return { row: record };
}

function quantityIn(
  { roomId, room, quantityAvailable }: NonNullable<InventoryRow["roomQuantities"]>[number],
  locationId: string,
  rooms: ReadonlyMap<string, PosLocation>,
): PosLocationQuantity[] {
  const found = quantityAt(roomId, rooms.get(roomId ?? "") ?? { name: room }, quantityAvailable ?? 0);
  return found.map((entry) => ({ pos_key: keyAt(locationId, entry.pos_location_id), ...entry }));
}

/** The types of a room, in order of precedence. */
const roomTypes = [
  ["isSalesFloor", "Sales Floor"],
  ["isPOSRoom", "POS"],
  ["isVaultRoom", "Vault"],
  ["isInventoryRoom", "Inventory"],
  ["isPreOrderRoom", "Pre-Order"],
  ["isEcommerceRoom", "E-Commerce"],
  ["isQuarantineRoom", "Quarantine"],
  ["isWaitingRoom", "Waiting"],
] as const;

export function roomRecord(row: Room, locationId: string): PosLocation {
  const types = roomTypes.flatMap(([flag, name]) => (row[flag] ? [name] : []));
  const room = roomOf(row.roomId, row.roomName, locationId);
  return { ...room, pos_location_type: types.length > 0 ? types.join(", ") : null };
}

const roomOf = (id: string, name: string | null, locationId: string): PosLocation => ({
  ...posLocation(id, name ?? `Room ${id}`),
  pos_key: keyAt(locationId, id),
});

/** The rooms that inventory rows name, for a key that may not read the list of rooms. */
export function roomsOf(rows: readonly InventoryRow[], locationId: string): PosLocation[] {
  const names = new Map<string, string | null>();
  for (const { roomId, room } of rows.flatMap(({ roomQuantities }) => roomQuantities ?? [])) {
    if (roomId !== null) names.set(roomId, names.get(roomId) ?? room);
  }
  return [...names].map(([roomId, room]) => roomOf(roomId, room, locationId));
}
