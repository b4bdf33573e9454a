import { fine } from "../conversions/cents.ts";
import type { PosInventory, PosLocation, PosLocationQuantity } from "../posRecords.ts";
import type { StockRow, Store } from "./answers.ts";
import { productIdOf } from "./products.ts";

/** What tells a package apart: rows that differ in the room only are one package in several rooms. */
export function inventoryKey(row: Record<"productId" | "regulatoryId" | "sku", string | null>): string | null {
  return row.productId === null ? null : `${row.productId}:${row.regulatoryId ?? row.sku ?? ""}`;
}

/**
 * The packages of a list of stock.
 *
 * @param unreadable keys of packages of which a row could not be read, or does not tell its amount: what is left of them
 * would show too little stock, so they are left out
 */
export function inventoryRecords(rows: readonly StockRow[], unreadable: ReadonlySet<string>): PosInventory[] {
  const rooms = new Map(roomRecords(rows).map((room) => [room.pos_location_id, room]));
  const packages = Map.groupBy(rows, (row) => inventoryKey(row) ?? "");
  return [...packages]
    .filter(([key]) => !unreadable.has(key))
    .map(([key, ofPackage]) => inventoryRecord(key, ofPackage, rooms));
}

function inventoryRecord(
  key: string,
  rows: readonly StockRow[],
  rooms: ReadonlyMap<string, PosLocation>,
): PosInventory {
  const [row] = rows as [StockRow];
  return {
    pos_inventory_id: key,
    pos_product_id: productIdOf(row),
    name: row.productName ?? row.parentProductName ?? `Product ${row.productId}`,
    sku: row.sku,
    barcode: row.regulatoryId,
    total_quantity: total(rows),
    pos_updated_date: rows.reduce<string | null>(
      (latest, { productUpdatedAt }) => later(latest, productUpdatedAt),
      null,
    ),
    location_data: rows.some(({ roomId }) => roomId !== null) ? quantities(rows, rooms) : null,
  };
}

/** Of a room in which there is nothing no entry is made; where there was one before, replication keeps it at 0. */
function quantities(rows: readonly StockRow[], rooms: ReadonlyMap<string, PosLocation>): PosLocationQuantity[] {
  const byRoom = Map.groupBy(rows, ({ roomId }) => roomId);
  return [...byRoom].flatMap(([roomId, ofRoom]) => {
    const quantity = total(ofRoom);
    if (roomId === null || quantity <= 0) return [];
    const { name = null, pos_location_type = null } = rooms.get(roomId) ?? {};
    return { pos_location_id: roomId, name, pos_location_type, quantity };
  });
}

/** The rooms that a list of stock names. */
export function roomRecords(rows: readonly StockRow[]): PosLocation[] {
  const byRoom = Map.groupBy(rows, ({ roomId }) => roomId);
  return [...byRoom].flatMap(([roomId, ofRoom]) =>
    roomId === null
      ? []
      : {
          pos_location_id: roomId,
          name: ofRoom.find(({ roomName }) => roomName !== null)?.roomName ?? `Room ${roomId}`,
          pos_location_type: roomType(ofRoom.map(({ forSale }) => forSale)),
          pos_updated_date: null,
        },
  );
}

/** What a room is for, where all that lies there is for the same. */
export function roomType(forSale: readonly (boolean | null)[]): string | null {
  if (forSale.every((value) => value === true)) return "for sale";
  return forSale.every((value) => value === false) ? "not for sale" : null;
}

/** Where there are no rooms the store itself is the place where everything lies. */
export function storeAsLocation({ locationId, locationName }: Store): PosLocation {
  return {
    pos_location_id: locationId,
    name: locationName ?? `Location ${locationId}`,
    pos_location_type: null,
    pos_updated_date: null,
  };
}

/** Weighed goods have decimals, of which adding makes more than there are. */
function total(rows: readonly StockRow[]): number {
  return fine(rows.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0));
}

function later(a: string | null, b: string | null): string | null {
  return (a ?? "") > (b ?? "") ? a : b;
}
