import { companyRecord } from "../../framework/companyRecord.ts";
import { dollarsToFineCents, nullIfNegative } from "../../framework/conversions/cents.ts";
import { netWeight } from "../../framework/conversions/grams.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { type IdField, idFieldsOf } from "../../framework/readRow.ts";
import {
  emptyProduct,
  type PosCustomer,
  type PosInventory,
  type PosProduct,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import type { Customer, Item, Room, StockPackage } from "./responses.ts";

export const roomRecord = ({ id, name, updated_at }: Room) => posLocation(id, name ?? `Location ${id}`, updated_at);

export function customerRecord(row: Customer): PosCustomer {
  const { street = null, street2 = null, city = null, state = null, postal_code = null } = row.address;
  return companyRecord({
    id: row.id,
    name: row.company_name,
    contact: row.contact_name,
    email: row.email,
    phone: row.phone,
    license: row.facility_license_number,
    licenseEnd: plainDay(row.license_expiration_date),
    type: row.license_type,
    address: [street, street2, city, state, postal_code],
    updated: row.updated_at,
  });
}

/** Canix states no price of an item: each order sets its own prices. */
export function productRecord(row: Item): PosProduct {
  const { name: type = null, product_category = null } = row.type ?? {};
  const categories = [product_category, type, row.sub_type];
  const category = productCategory(...categories);
  const cost = row.current_standard_cost ?? {};
  const isDollars = (cost.standard_cost_currency ?? "USD").toUpperCase() === "USD";
  return {
    ...emptyProduct,
    pos_product_id: row.id,
    name: row.name ?? `Item ${row.id}`,
    svc_product_category_name: category,
    pos_product_category_name: product_category ?? type,
    pos_product_subcategory_name: row.sub_type ?? (product_category === null ? null : type),
    pos_strain_name: row.strain,
    pos_brand_name: row.brand ?? row.product_brand,
    medicated: cannabisOf(categories),
    sku: row.sku,
    description: row.description,
    svc_net_weight_grams: netWeight(row.unit_weight, row.unit_weight_unit, category),
    pos_unit_of_measure: row.weight_unit,
    unit_cost: isDollars ? nullIfNegative(dollarsToFineCents(cost.standard_cost_amount ?? null)) : null,
    pos_updated_date: row.updated_at,
  };
}

/** Whether a package is used up or shipped. Canix keeps such packages in its list, but they are no longer in stock. */
export const isGone = ({ is_active }: StockPackage) => is_active === false;

/**
 * The facility of a row. Orders and items have the field `facility_id`; a package has the facility of its item. Canix
 * does not document `facility_id` of a package or `facility.id` of an order, but `facilityOf` uses these fields if they
 * exist.
 */
export const facilityOf = (field: IdField) => field("facility_id") ?? field("facility.id") ?? field("item.facility_id");

/**
 * Whether a package is certainly in a facility. A package either names this facility, or names no facility and is at
 * one of this facility's locations.
 *
 * @param locations ids of the facility's locations
 */
export function isHere(row: unknown, facilityId: string, locations: ReadonlySet<string>): boolean {
  const field = idFieldsOf(row);
  const facility = facilityOf(field);
  return facility === null ? locations.has(field("location.id") ?? "") : facility === facilityId;
}

/** Rejects a package without an amount, which does not mean 0, and one that does not state whether it is active. */
export function inventoryRecords(row: StockPackage): RecordsOrRejection<PosInventory> {
  if (row.is_active === null) return { field: "is_active", reason: "unknown_status" };
  const quantity = isGone(row) ? 0 : row.weight;
  if (quantity === null) return { field: "weight", reason: "no_quantity" };
  return [inventoryRecord(row, quantity)];
}

function inventoryRecord(row: StockPackage, quantity: number): PosInventory {
  return {
    pos_inventory_id: row.id,
    pos_product_id: row.item?.id ?? null,
    name: row.item?.name ?? `Package ${row.id}`,
    sku: null,
    barcode: row.tag,
    total_quantity: quantity,
    pos_updated_date: row.updated_at,
    location_data: quantityAt(row.location?.id ?? null, row.location ?? {}, quantity),
  };
}
