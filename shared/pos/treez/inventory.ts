import { fine } from "../conversions/cents.ts";
import type { PosInventory, PosLocation, PosLocationQuantity } from "../posRecords.ts";
import type { ReadRow } from "../reading/readRow.ts";
import type { Product } from "./answers.ts";
import { productName, skuOf } from "./products.ts";

/**
 * Treez tells of no packages: what there is of a product is one record. The product's date says nothing about it. One whose
 * amount is not told, in all or in a place, is rejected: none told is not none there.
 */
export function inventoryRecord(row: Product): ReadRow<PosInventory> {
  const details = counted(row);
  const told = details.length > 0 ? details : [row];
  if (told.some(({ sellable_quantity }) => sellable_quantity === null)) {
    return { rejected: { posId: row.product_id, field: "sellable_quantity", reason: "no_quantity" } };
  }
  const record = {
    pos_inventory_id: row.product_id,
    pos_product_id: row.product_id,
    name: productName(row),
    sku: skuOf(row),
    barcode: null,
    total_quantity: total(told),
    pos_updated_date: null,
    location_data: details.length > 0 ? quantities(details) : null,
  };
  return { row: record };
}

type Detail = Product["sellable_quantity_detail"][number];

/** `ALL` stands for the sum of what else is listed beside it. */
function counted({ sellable_quantity_detail: details }: Product): Detail[] {
  const all = details.filter(({ inventory_type }) => inventory_type === "ALL");
  return all.length > 0 ? all : details;
}

/** Of a place in which there is nothing no entry is made; where there was one before, replication keeps it at 0. */
function quantities(details: readonly Detail[]): PosLocationQuantity[] {
  return [...Map.groupBy(details, placeOf)].flatMap(([place, ofPlace]) => {
    const quantity = total(ofPlace);
    if (place === null || quantity <= 0) return [];
    return { pos_location_id: place, name: ofPlace[0]?.location ?? null, pos_location_type: null, quantity };
  });
}

/** The places that a product names. */
export function placesOf({ sellable_quantity_detail: details }: Product): PosLocation[] {
  return [...Map.groupBy(details, placeOf)].flatMap(([place, [detail]]) =>
    place === null ? [] : placeNamed(place, detail?.location ?? `Location ${place}`),
  );
}

/** A place; its name is its id unless it has one of its own. */
export function placeNamed(id: string, name = id): PosLocation {
  return { pos_location_id: id, name, pos_location_type: null, pos_updated_date: null };
}

function placeOf({ location_id, location }: Detail): string | null {
  return location_id ?? location;
}

function total(details: readonly Pick<Detail, "sellable_quantity">[]): number {
  return fine(details.reduce((sum, { sellable_quantity }) => sum + (sellable_quantity ?? 0), 0));
}
