import { sum } from "../../../money/sums.ts";
import { fine } from "../../framework/conversions/cents.ts";
import { utcInstant } from "../../framework/conversions/instants.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  type PosInventory,
  type PosLocation,
  type PosLocationQuantity,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import { optionName } from "./records.ts";
import type { Option, Product, Room, Rooms, StockPackage } from "./responses.ts";

/** Rooms by id; empty if the key may not read rooms. */
export type RoomsById = ReadonlyMap<string, PosLocation>;

export const roomRecord = ({ id, name, type }: Room): PosLocation => ({
  ...posLocation(id, name ?? `Room ${id}`),
  pos_location_type: type,
});

/** The meaning of a package's status. A package is empty if it is not yet in stock, or no longer in stock. */
const stateOf = statusFinder({
  stock: "received",
  empty: "ready, finished, shipped, transferred, transfer-returned, syncing",
});

export const isStock = ({ status }: StockPackage) => stateOf(status) === "stock";

/** Rejects a package of unknown status, and stock without an amount, because a missing amount does not mean 0. */
export function packageRecords(row: StockPackage, rooms: RoomsById): RecordsOrRejection<PosInventory> {
  if (stateOf(row.status) === "empty") return [packageRecord(row, [], rooms)];
  if (!isStock(row)) return { field: "status", reason: "unknown_status" };
  const stock = knownStock(row.locationInventory);
  return stock ? [packageRecord(row, stock, rooms)] : noQuantity;
}

function packageRecord(row: StockPackage, stock: Stock, rooms: RoomsById): PosInventory {
  return {
    pos_inventory_id: `package-${row.id}`,
    pos_product_id: row.productOptionId,
    name: row.product?.name ?? `Package ${row.id}`,
    sku: row.product?.upc ?? null,
    barcode: row.label,
    total_quantity: total(stock),
    pos_updated_date: utcInstant(row.updatedAt),
    location_data: quantities(stock, rooms),
  };
}

/** The stock of a product without packages, by option or shared by all options; none if Meadow does not count it. */
export function stockRecords(row: Product, rooms: RoomsById): RecordsOrRejection<PosInventory> {
  const record = (id: string, name: string, stock: Stock, option?: Option): PosInventory => ({
    pos_inventory_id: id,
    pos_product_id: option?.id ?? null,
    name,
    sku: option?.upc ?? row.upc,
    barcode: null,
    total_quantity: total(stock),
    pos_updated_date: null,
    location_data: quantities(stock, rooms),
  });
  switch (row.inventoryType) {
    case "option": {
      const records = row.options.flatMap((option) => {
        const stock = knownStock(option.locationInventory);
        return stock ? [record(`option-${option.id}`, optionName(row, option), stock, option)] : [];
      });
      return records.length === row.options.length ? records : noQuantity;
    }
    case "product": {
      const stock = knownStock(row.locationInventory);
      if (!stock) return noQuantity;
      return [record(`product-${row.id}`, row.name ?? `Product ${row.id}`, stock, row.options[0])];
    }
    case "none":
      return [];
    default:
      return { field: "inventoryType", reason: "unknown_type" };
  }
}

/** The amount in each room; no amount is missing. */
type Stock = readonly { inventoryLocationId: string | null; amount: number }[];

const noQuantity = { field: "locationInventory", reason: "no_quantity" };

/** The amounts of all rooms; null if the amount of any room is missing. */
function knownStock(stock: Rooms): Stock | null {
  const found = (stock ?? []).flatMap(({ inventoryLocationId, amount }) =>
    amount === null ? [] : [{ inventoryLocationId, amount }],
  );
  return stock && found.length === stock.length ? found : null;
}

function total(stock: Stock): number {
  return fine(sum(stock.map(({ amount }) => amount)));
}

function quantities(stock: Stock, rooms: RoomsById): PosLocationQuantity[] {
  return stock.flatMap(({ inventoryLocationId: id, amount }) => quantityAt(id, rooms.get(id ?? "") ?? {}, amount));
}
