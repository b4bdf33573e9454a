import type { RejectedPosRecord } from "../../connector.ts";
import { fine } from "../../framework/conversions/cents.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { addRejected } from "../../framework/readRow.ts";
import { type PosInventory, type PosLocation, posLocation, quantityAt } from "../../posRecords.ts";
import { productIdOf } from "./products.ts";
import type { StockRow, Store } from "./responses.ts";

/** The key of a package. Rows that differ only in the room are one package in several rooms. */
export function inventoryKey(row: Record<"productId" | "regulatoryId" | "sku", string | null>): string | null {
  return row.productId === null ? null : `${row.productId}:${row.regulatoryId ?? row.sku ?? ""}`;
}

/** A package, merged from the rows read so far. */
interface Package {
  /** without rooms, which are added at the end, because rows of other packages may state the rooms' names */
  record: PosInventory;
  /** the quantity in each room that has stock; null if no row names a room */
  rooms: Map<string, number> | null;
}

/** The packages of a list of stock, whose rows come in any order. */
export class StockPackages {
  readonly #rooms = new StockRooms();
  readonly #unknown: RejectedPosRecord[] = [];
  readonly #packages: NextRecords<Package>;

  /** @param behind see NextRecords */
  constructor(behind: string | null) {
    this.#packages = new NextRecords(behind, undefined, joined);
  }

  take(row: StockRow): void {
    const roomId = this.#rooms.take(row);
    const key = inventoryKey(row) ?? "";
    // A missing quantity does not mean 0.
    if (row.quantity === null) addRejected(this.#unknown, { posId: key, field: "quantity", reason: "no_quantity" });
    else this.#packages.add(key, packageOf(key, row, row.quantity, roomId));
  }

  /** The packages, the rejections for missing quantities, and whether more packages follow. */
  list(): { records: PosInventory[]; rejected: RejectedPosRecord[]; hasMore: boolean } {
    const known = new Map(this.#rooms.records().map((room) => [room.pos_location_id, room]));
    const { records, hasMore } = this.#packages.take();
    const whole = records.map(({ record, rooms }) => ({
      ...record,
      total_quantity: fine(record.total_quantity),
      // `fine` removes the rounding errors of the sum, because weighed goods have decimals.
      location_data: rooms && [...rooms].flatMap(([id, sum]) => quantityAt(id, known.get(id) ?? {}, fine(sum))),
    }));
    return { records: whole, rejected: this.#unknown, hasMore };
  }
}

function packageOf(key: string, row: StockRow, quantity: number, roomId: string | null): Package {
  const record = {
    pos_inventory_id: key,
    pos_product_id: productIdOf(row),
    name: row.productName ?? row.parentProductName ?? `Product ${row.productId}`,
    sku: row.sku,
    barcode: row.regulatoryId,
    total_quantity: quantity,
    pos_updated_date: row.productUpdatedAt,
    location_data: null,
  };
  return { record, rooms: roomId === null ? null : new Map(quantity === 0 ? [] : [[roomId, quantity]]) };
}

/** Adds a row to its package. */
function joined({ record, rooms }: Package, more: Package): Package {
  record.total_quantity += more.record.total_quantity;
  record.pos_updated_date = later(record.pos_updated_date, more.record.pos_updated_date);
  for (const [roomId, quantity] of more.rooms ?? []) rooms?.set(roomId, (rooms.get(roomId) ?? 0) + quantity);
  return { record, rooms: rooms ?? more.rooms };
}

/** Collects the rooms that the rows of a list of stock name. */
export class StockRooms {
  readonly #rooms = new Map<string, { id: string; name: string | null; forSale: Set<boolean | null> }>();

  /** @returns the room's id, always as the same string object, because thousands of packages refer to it */
  take({ roomId, roomName, forSale }: Pick<StockRow, "roomId" | "roomName" | "forSale">): string | null {
    if (roomId === null) return null;
    const known = this.#rooms.get(roomId) ?? { id: roomId, name: null, forSale: new Set() };
    known.name ??= roomName;
    known.forSale.add(forSale);
    this.#rooms.set(roomId, known);
    return known.id;
  }

  records(): PosLocation[] {
    return [...this.#rooms].map(([roomId, { name, forSale }]) => ({
      ...posLocation(roomId, name ?? `Room ${roomId}`),
      pos_location_type: roomType([...forSale]),
    }));
  }
}

/** The room's type if all of its stock is for sale or none of its stock is for sale, else null. */
export function roomType(forSale: readonly (boolean | null)[]): string | null {
  if (forSale.every((value) => value === true)) return "for sale";
  return forSale.every((value) => value === false) ? "not for sale" : null;
}

/** The store itself as a location. Used if the store has no rooms. */
export const storeAsLocation = ({ locationId, locationName }: Store) =>
  posLocation(locationId, locationName ?? `Location ${locationId}`);

function later(a: string | null, b: string | null): string | null {
  return (a ?? "") > (b ?? "") ? a : b;
}
