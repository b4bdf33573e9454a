import { sum } from "../../../money/sums.ts";
import { dollarsToCents, dollarsToFineCents, fine, nullIfNegative, price } from "../../framework/conversions/cents.ts";
import { netWeight } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import {
  emptyCustomer,
  emptyProduct,
  type PosCustomer,
  type PosInventory,
  type PosProduct,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import type { Area, Customer, ProductRow, StockRow } from "./responses.ts";

export const areaRecord = ({ id_area, name, path }: Area) => posLocation(id_area, name ?? path ?? `Area ${id_area}`);

/** Converts the known fields. The names of those for identification, address and customer type are not known. */
export function customerRecord(row: Customer): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: row.id_customer,
    first_name: row.name_first,
    last_name: row.name_last,
    dob: plainDay(row.date_of_birth),
    phone: row.phone,
    email_address: row.email,
    loyalty_points: row.loyalty_points,
  };
}

/** Chooses between two rows of a product: an open batch before other batches, else the row with the later change. */
export function chooseFullerRow<Row extends StockRow>(one: Row, other: Row): Row {
  return rankOf(one) >= rankOf(other) ? one : other;
}

/** Sort key of a row: the greatest wins. It ends with ids, so that every pull chooses the same row. */
function rankOf(row: StockRow): string {
  return [isOpen(row) ? 1 : 0, row.date_updated ?? "", row.id_batch.padStart(20, "0"), row.id_area ?? ""].join(" ");
}

export function productRecord(row: ProductRow): PosProduct {
  const categories = categoriesOf(row);
  const [category = null, subcategory = null] = categories;
  const svc_product_category_name = productCategory(...categories);
  return {
    ...emptyProduct,
    pos_product_id: row.id_item,
    name: row.item ?? `Item ${row.id_item}`,
    svc_product_category_name,
    pos_product_category_name: category,
    pos_product_subcategory_name: subcategory,
    pos_strain_name: row.strain,
    pos_brand_name: row.brand,
    medicated: row.is_cannabis,
    sku: row.sku,
    description: row.description,
    svc_net_weight_grams: netWeight(row.weight_useable, row.weight_useable_uom, productCategory(category)),
    pos_unit_of_measure: row.uom,
    price: priceOf(row),
    unit_cost: nullIfNegative(dollarsToFineCents(row.cost_of_good)),
    pos_updated_date: row.date_updated,
    images: images([row.image_url]),
  };
}

/** Splits a path such as `Category > Flower > Prerolls`. A first part `Category` carries no information. */
function categoriesOf({ category }: StockRow): string[] {
  const parts = (category ?? "").split(">").map((part) => part.trim());
  return (parts[0]?.toLowerCase() === "category" ? parts.slice(1) : parts).filter((part) => part !== "");
}

/** The first price above 0: Alleaves writes 0 for a price that was never set. Its other price fields include tax. */
function priceOf(row: StockRow): number | null {
  const prices = [row.price_retail_adult_use, row.price_retail_medical_use, row.price_retail];
  return prices.map((dollars) => price(dollarsToCents(dollars))).find((amount) => (amount ?? 0) > 0) ?? null;
}

/** Whether a batch is in stock: true if it is open, false if it is closed or deleted, null if its status is unknown. */
export function isOpen({ status, deleted }: StockRow): boolean | null {
  const name = status?.toLowerCase() ?? "";
  if (deleted === true || name === "closed" || name === "deleted") return false;
  return name === "open" || null;
}

/** The quantity of a batch in an area, with reserved stock; null if unknown, which does not mean 0. */
export const quantityOf = ({ on_hand, available }: StockRow) => on_hand ?? available;

/** @param rows the rows of one batch, one row per area */
export function inventoryRecord(rows: readonly [StockRow, ...StockRow[]]): PosInventory {
  const [row] = rows;
  const placed = rows.filter(({ id_area }) => id_area !== null);
  const latest = rows.map(({ batch_date_updated }) => batch_date_updated ?? "").sort();
  return {
    pos_inventory_id: row.id_batch,
    pos_product_id: row.id_item,
    name: row.item ?? `Item ${row.id_item}`,
    sku: row.sku,
    // A batch without a tag of the state's system has only the number on its label.
    barcode: row.metrc_package_label ?? row.batch,
    total_quantity: fine(sum(rows.map(quantityOf))),
    pos_updated_date: latest.at(-1) || null,
    location_data:
      placed.length > 0
        ? placed.flatMap((row) => quantityAt(row.id_area, { name: row.area }, quantityOf(row) ?? 0))
        : null,
  };
}
