import { dollarsToFineCents, nullIfNegative, price, wholeCents } from "../../framework/conversions/cents.ts";
import { grams } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { thcMilligrams } from "../../framework/conversions/thc.ts";
import { emptyProduct, type PosProduct } from "../../posRecords.ts";
import type { Option, Product } from "./responses.ts";

/** One record per option, because Meadow sells and counts options. */
export function productRecords(row: Product): PosProduct[] {
  const category = row.primaryCategory?.name ?? null;
  const subcategory = row.subCategories[0] ?? null;
  const cannabisType = row.primaryCategory?.cannabisType ?? null;
  return row.options.map((option) => ({
    ...emptyProduct,
    pos_product_id: option.id,
    name: optionName(row, option),
    svc_product_category_name: productCategory(category, subcategory),
    pos_product_category_name: category,
    pos_product_subcategory_name: subcategory,
    pos_strain_name: row.strainName,
    pos_brand_name: row.brand,
    medicated: cannabisType === null ? null : cannabisType !== "none",
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

/**
 * The THC of an option. `thcAmount` is the THC of the whole product, not of a piece of it, so milligrams are those of an option
 * that is one item. A share is that of the weight.
 */
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
