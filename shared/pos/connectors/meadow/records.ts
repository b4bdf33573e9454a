import { dollarsToFineCents, nullIfNegative, price, wholeCents } from "../../framework/conversions/cents.ts";
import { genderOf } from "../../framework/conversions/gender.ts";
import { grams } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { thcMilligrams } from "../../framework/conversions/thc.ts";
import { emptyCustomer, emptyProduct, type PosCustomer, type PosProduct } from "../../posRecords.ts";
import type { Customer, Option, Product } from "./responses.ts";

/** @param now the time of reading: a medical card that has expired by then does not show a patient */
export function customerRecord(row: Customer, now: Date): PosCustomer {
  const { street1 = null, street2 = null, city = null, state = null, postalCode = null } = row.mostRecentAddress;
  const medicalExpiration = plainDay(row.medicalExpiration);
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    dob: plainDay(row.birthday),
    address_1: street1,
    address_2: street2,
    city,
    state,
    zip_code: postalCode ?? row.zip,
    phone: row.phone,
    email_address: row.email,
    gender: genderOf(row.sex),
    // Meadow states when an identification document expires, but not the document's number.
    pos_identification_type: medicalExpiration ? "medical" : row.licenseExpiry ? "drivers" : null,
    svc_customer_type: medicalExpiration && medicalExpiration >= now.toISOString().slice(0, 10) ? "medical" : null,
    medical_id_expiration_date: medicalExpiration,
    drivers_license_expiration_date: plainDay(row.licenseExpiry),
    loyalty_points: row.loyalty?.pointsAmount ?? null,
    pos_updated_date: row.updatedAt,
  };
}

/** What the products of a category contain. Any other type, such as one for hemp, stays unknown. */
const contentsOf = statusFinder({ cannabis: "concentrated, non-concentrated, edible", none: "none" });

/** One record per option, because Meadow sells and counts options. */
export function productRecords(row: Product): PosProduct[] {
  const category = row.primaryCategory?.name ?? null;
  const subcategory = row.subCategories[0] ?? null;
  const contents = contentsOf(row.primaryCategory?.cannabisType ?? null);
  return row.options.map((option) => ({
    ...emptyProduct,
    pos_product_id: option.id,
    name: optionName(row, option),
    svc_product_category_name: productCategory(category, subcategory),
    pos_product_category_name: category,
    pos_product_subcategory_name: subcategory,
    pos_strain_name: row.strainName,
    pos_brand_name: row.brand,
    medicated: contents === null ? null : contents === "cannabis",
    sku: option.upc ?? row.upc,
    description: row.description,
    svc_net_weight_grams: row.unit === "gram" ? grams(option.amount, "g") : null,
    thc_mg_per_unit: thcPerUnit(row, option),
    pos_unit_of_measure: row.unit,
    price: price(wholeCents(option.salesPrice ?? option.price)),
    unit_cost: nullIfNegative(dollarsToFineCents(option.movingAverageCostPerUnit ?? row.movingAverageCostPerUnit)),
    images: images(row.photos),
  }));
}

/** The THC of an option: milligrams if it is one item, as `thcAmount` is of the whole product; else a share. */
function thcPerUnit(row: Product, option: Option): number | null {
  const { thcAmount, thcAmountRangeLow: low, thcAmountRangeHigh: high, thcUnit, unit } = row;
  const [first = null, ...others] = [thcAmount, low, high].filter((amount) => amount !== null);
  if (others.some((amount) => amount !== first) || (low === null) !== (high === null)) return null;
  if (thcUnit === "mg") return unit === "item" && option.amount === 1 ? thcMilligrams(first, thcUnit, null) : null;
  return unit === "gram" ? thcMilligrams(first, thcUnit, grams(option.amount, "g")) : null;
}

/** The name of an option: the product's name, which its options share, and the option's own name. */
export function optionName({ id, name }: Product, option: Option): string {
  const product = name ?? `Product ${id}`;
  return option.name ? `${product} - ${option.name}` : product;
}
