import { fine } from "../../framework/conversions/cents.ts";
import type { ReadRow } from "../../framework/readRow.ts";
import type { PosInventory, PosLocation, PosLocationQuantity } from "../../posRecords.ts";
import { productName, skuOf } from "./products.ts";
import type { Product } from "./responses.ts";

/**
 * The stock of a product: one record, because Treez has no packages. The product's date does not cover its stock. Rejects a
 * product without a quantity in total or in a place: 0 would be a guess.
 */
export function inventoryRecord(row: Product): ReadRow<PosInventory> {
  const details = countedDetails(row);
  const counted = details.length > 0 ? details : [row];
  if (counted.some(({ sellable_quantity }) => sellable_quantity === null)) {
    return { rejected: { posId: row.product_id, field: "sellable_quantity", reason: "no_quantity" } };
  }
  const record = {
    pos_inventory_id: row.product_id,
    pos_product_id: row.product_id,
    name: productName(row),
    sku: skuOf(row),
    barcode: null,
    total_quantity: total(counted),
    pos_updated_date: null,
    location_data: details.some((detail) => placeOf(detail) !== null) ? quantities(details) : null,
  };
  return { row: record };
}

type Detail = Product["sellable_quantity_detail"][number];

/** The details without repeats: in a place, `ALL` is the sum of the other types. */
function countedDetails({ sellable_quantity_detail: details }: Product): Detail[] {
  return [...Map.groupBy(details, placeOf).values()].flatMap((ofPlace) => {
    const all = ofPlace.filter(({ inventory_type }) => inventory_type?.toUpperCase() === "ALL");
    return all.length > 0 ? all : ofPlace;
  });
}

/** A place without stock gets no entry. If it had one before, replication keeps it at 0. */
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

/** A place; its id is also its name if it has none. */
export function placeNamed(id: string, name = id): PosLocation {
  return { pos_location_id: id, name, pos_location_type: null, pos_updated_date: null };
}

function placeOf({ location_id, location }: Detail): string | null {
  return location_id ?? location;
}

function total(details: readonly Pick<Detail, "sellable_quantity">[]): number {
  return fine(details.reduce((sum, { sellable_quantity }) => sum + (sellable_quantity ?? 0), 0));
}
