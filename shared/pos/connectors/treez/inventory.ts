import { sum } from "../../../money/sums.ts";
import { fine } from "../../framework/conversions/cents.ts";
import type { ReadRow } from "../../framework/readRow.ts";
import {
  type PosInventory,
  type PosLocation,
  type PosLocationQuantity,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import { productName, skuOf } from "./products.ts";
import type { Product } from "./responses.ts";

/**
 * The stock of a product: one record, because Treez has no packages. The record has no date of change: the product's date
 * does not change with its stock. Rejects a product without a quantity in total or in a place, because a missing quantity
 * does not mean 0.
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

/** The details that count: those of type `ALL`, which are the sum of their place, else all details of it. */
function countedDetails({ sellable_quantity_detail: details }: Product): Detail[] {
  return [...Map.groupBy(details, placeOf).values()].flatMap((ofPlace) => {
    const all = ofPlace.filter(({ inventory_type }) => inventory_type?.toUpperCase() === "ALL");
    return all.length > 0 ? all : ofPlace;
  });
}

function quantities(details: readonly Detail[]): PosLocationQuantity[] {
  return [...Map.groupBy(details, placeOf)].flatMap(([place, ofPlace]) =>
    quantityAt(place, { name: ofPlace[0]?.location ?? null }, total(ofPlace)),
  );
}

/** The places that a product names. */
export function placesOf({ sellable_quantity_detail: details }: Product): PosLocation[] {
  return [...Map.groupBy(details, placeOf)].flatMap(([place, [detail]]) =>
    place === null ? [] : posLocation(place, detail?.location ?? `Location ${place}`),
  );
}

function placeOf({ location_id, location }: Detail): string | null {
  return location_id ?? location;
}

function total(details: readonly Pick<Detail, "sellable_quantity">[]): number {
  return fine(sum(details.map(({ sellable_quantity }) => sellable_quantity)));
}
