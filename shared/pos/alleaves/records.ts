import { cents, fine, finelyInCents, price, unlessNegative } from "../conversions/cents.ts";
import { grams } from "../conversions/grams.ts";
import { plainDay } from "../conversions/instants.ts";
import { productCategory } from "../conversions/productCategory.ts";
import type { PosCustomer, PosInventory, PosLocation, PosLocationQuantity, PosProduct } from "../posRecords.ts";
import type { Area, Customer, StockRow } from "./answers.ts";

export function areaRecord({ id_area, name, path }: Area): PosLocation {
  return {
    pos_location_id: id_area,
    name: name ?? path ?? `Area ${id_area}`,
    pos_location_type: null,
    pos_updated_date: null,
  };
}

/** Alleaves is known to tell no more of a customer; of papers, addresses and kind it may. */
export function customerRecord(row: Customer): PosCustomer {
  return {
    pos_customer_id: row.id_customer,
    first_name: row.name_first,
    last_name: row.name_last,
    middle_name: null,
    dob: plainDay(row.date_of_birth),
    address_1: null,
    address_2: null,
    city: null,
    state: null,
    zip_code: null,
    phone: row.phone,
    cell_phone: null,
    email_address: row.email,
    gender: null,
    pos_identification_type: null,
    pos_customer_type: null,
    svc_customer_type: null,
    medical_id: null,
    medical_id_expiration_date: null,
    drivers_license_id: null,
    drivers_license_expiration_date: null,
    other_id: null,
    other_id_expiration_date: null,
    caregiver: null,
    loyalty_member: null,
    loyalty_points: row.loyalty_points,
    anonymous: null,
    pos_updated_date: null,
  };
}

/** Of two rows of a product the one that tells of it: a batch that is open, then the one that changed last. */
export function tellsMore(one: StockRow, other: StockRow): StockRow {
  return rankOf(one) >= rankOf(other) ? one : other;
}

/** Rows that changed at the same time stand in one order too, so that every reading gives the same product. */
function rankOf(row: StockRow): string {
  return [isOpen(row) ? 1 : 0, row.date_updated ?? "", row.id_batch.padStart(20, "0"), row.id_area ?? ""].join(" ");
}

export function productRecord(row: StockRow): PosProduct {
  const [category = null, subcategory = null] = categoriesOf(row);
  return {
    pos_product_id: row.id_item,
    name: row.item ?? `Item ${row.id_item}`,
    svc_product_category_name: productCategory(category, subcategory),
    pos_product_category_name: category,
    pos_product_subcategory_name: subcategory,
    pos_strain_name: row.strain,
    pos_brand_name: row.brand,
    medicated: row.is_cannabis,
    sku: row.sku,
    description: null,
    svc_net_weight_grams: grams(row.weight_useable, row.weight_useable_uom),
    pos_unit_of_measure: row.uom,
    price: priceOf(row),
    unit_cost: unlessNegative(finelyInCents(row.cost_of_good)),
    pos_updated_date: row.date_updated,
    price_tiers: null,
    images: null,
  };
}

/** `Category > Flower > Prerolls`, of which the first part says nothing. */
function categoriesOf({ category }: StockRow): string[] {
  const parts = (category ?? "").split(">").map((part) => part.trim());
  return (parts[0]?.toLowerCase() === "category" ? parts.slice(1) : parts).filter((part) => part !== "");
}

/** The first that is not 0, which is a price that nobody has set. Others of its prices hold the tax. */
function priceOf(row: StockRow): number | null {
  const prices = [row.price_retail_adult_use, row.price_retail_medical_use, row.price_retail];
  return prices.map((dollars) => price(cents(dollars))).find((amount) => (amount ?? 0) > 0) ?? null;
}

/** Whether a batch may have stock: what is closed or deleted is none. */
export const isOpen = ({ status, deleted }: StockRow) =>
  deleted !== true && !["closed", "deleted"].includes(status?.toLowerCase() ?? "");

/** How much of a batch lies in an area, with what is reserved; null where it is not told, which is not none. */
export const quantityOf = ({ on_hand, available }: StockRow) => on_hand ?? available;

/** @param rows of one batch, each of another area */
export function inventoryRecord(rows: readonly [StockRow, ...StockRow[]]): PosInventory {
  const [row] = rows;
  const placed = rows.filter(({ id_area }) => id_area !== null);
  const latest = rows.map(({ batch_date_updated }) => batch_date_updated ?? "").sort();
  return {
    pos_inventory_id: row.id_batch,
    pos_product_id: row.id_item,
    name: row.item ?? `Item ${row.id_item}`,
    sku: row.sku,
    barcode: row.metrc_package_label,
    total_quantity: fine(rows.reduce((total, row) => total + (quantityOf(row) ?? 0), 0)),
    pos_updated_date: latest.at(-1) || null,
    location_data: placed.length > 0 ? placed.flatMap(quantityIn) : null,
  };
}

/** Of an area in which there is nothing no entry is made. */
function quantityIn(row: StockRow): PosLocationQuantity[] {
  const quantity = quantityOf(row) ?? 0;
  if (row.id_area === null || quantity <= 0) return [];
  return [{ pos_location_id: row.id_area, name: row.area, pos_location_type: null, quantity }];
}
