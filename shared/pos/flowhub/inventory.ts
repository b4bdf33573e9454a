import type { RejectedPosRecord } from "../connector.ts";
import { fine } from "../conversions/cents.ts";
import type { PosInventory, PosLocation, PosLocationQuantity } from "../posRecords.ts";
import { NextRecords } from "../reading/nextRecords.ts";
import type { StockRow, Store } from "./answers.ts";
import { productIdOf } from "./products.ts";

/** What tells a package apart: rows that differ in the room only are one package in several rooms. */
export function inventoryKey(row: Record<"productId" | "regulatoryId" | "sku", string | null>): string | null {
  return row.productId === null ? null : `${row.productId}:${row.regulatoryId ?? row.sku ?? ""}`;
}

/** What is kept of a row of stock until its package is whole. */
function packageRow(row: StockRow) {
  const { productId, variantId, parentProductId, productName, parentProductName } = row;
  const { sku, regulatoryId, quantity, roomId, productUpdatedAt } = row;
  return {
    productId,
    variantId,
    parentProductId,
    productName,
    parentProductName,
    sku,
    regulatoryId,
    quantity,
    roomId,
    productUpdatedAt,
  };
}
type PackageRow = ReturnType<typeof packageRow>;

/** The packages of a list of stock, whose rows come in any order. */
export class StockPackages {
  readonly #rooms = new StockRooms();
  readonly #untold: RejectedPosRecord[] = [];
  readonly #packages: NextRecords<PackageRow[]>;

  /** @param behind see NextRecords */
  constructor(behind: string | null) {
    this.#packages = new NextRecords(behind, undefined, (known, [row]) => {
      if (row) known.push(row);
      return known;
    });
  }

  take(row: StockRow): void {
    this.#rooms.take(row);
    const key = inventoryKey(row) ?? "";
    // None told is not none there.
    if (row.quantity === null) this.#untold.push({ posId: key, field: "quantity", reason: "no_quantity" });
    else this.#packages.add(key, [packageRow(row)]);
  }

  /** The packages, those of which a row does not tell its amount, and whether there are more behind them. */
  list(): { records: PosInventory[]; rejected: RejectedPosRecord[]; hasMore: boolean } {
    const rooms = new Map(this.#rooms.records().map((room) => [room.pos_location_id, room]));
    const { records, hasMore } = this.#packages.take();
    return { records: records.map((rows) => inventoryRecord(rows, rooms)), rejected: this.#untold, hasMore };
  }
}

function inventoryRecord(rows: readonly PackageRow[], rooms: ReadonlyMap<string, PosLocation>): PosInventory {
  const [row] = rows as [PackageRow];
  return {
    pos_inventory_id: inventoryKey(row) ?? "",
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
function quantities(rows: readonly PackageRow[], rooms: ReadonlyMap<string, PosLocation>): PosLocationQuantity[] {
  const byRoom = Map.groupBy(rows, ({ roomId }) => roomId);
  return [...byRoom].flatMap(([roomId, ofRoom]) => {
    const quantity = total(ofRoom);
    if (roomId === null || quantity <= 0) return [];
    const { name = null, pos_location_type = null } = rooms.get(roomId) ?? {};
    return { pos_location_id: roomId, name, pos_location_type, quantity };
  });
}

/** The rooms that a list of stock names. */
export class StockRooms {
  readonly #rooms = new Map<string, { name: string | null; forSale: Set<boolean | null> }>();

  take({ roomId, roomName, forSale }: Pick<StockRow, "roomId" | "roomName" | "forSale">): void {
    if (roomId === null) return;
    const known = this.#rooms.get(roomId) ?? { name: null, forSale: new Set() };
    known.name ??= roomName;
    known.forSale.add(forSale);
    this.#rooms.set(roomId, known);
  }

  records(): PosLocation[] {
    return [...this.#rooms].map(([roomId, { name, forSale }]) => ({
      pos_location_id: roomId,
      name: name ?? `Room ${roomId}`,
      pos_location_type: roomType([...forSale]),
      pos_updated_date: null,
    }));
  }
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
function total(rows: readonly PackageRow[]): number {
  return fine(rows.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0));
}

function later(a: string | null, b: string | null): string | null {
  return (a ?? "") > (b ?? "") ? a : b;
}
