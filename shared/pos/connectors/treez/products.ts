import { dollarsToCents, price } from "../../framework/conversions/cents.ts";
import { grams } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { priceTier } from "../../framework/conversions/prices.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { thcMilligrams } from "../../framework/conversions/thc.ts";
import { emptyProduct, type PosProduct, type ProductCategory } from "../../posRecords.ts";
import type { Product } from "./responses.ts";

export function productRecord(row: Product): PosProduct {
  const { brand = null, uom = null, subtype, sub_type } = row.product_configurable_fields;
  const subcategory = subtype ?? sub_type ?? null;
  const tiers = priceTiers(row.pricing);
  return {
    ...emptyProduct,
    pos_product_id: row.product_id,
    name: productName(row),
    svc_product_category_name: categoryOf(row.category_type, subcategory),
    pos_product_category_name: row.category_type,
    pos_product_subcategory_name: subcategory,
    pos_brand_name: brand,
    medicated: isMedicated(row.category_type),
    sku: skuOf(row),
    description: row.e_commerce?.product_description ?? null,
    svc_net_weight_grams: netWeight(row),
    thc_mg_per_unit: thcMilligrams(row.product_configurable_fields.total_mg_thc ?? null, "mg", netWeight(row)),
    pos_unit_of_measure: uom,
    price: row.pricing?.price_type === "TIER" ? null : price(dollarsToCents(row.pricing?.price_sell ?? null)),
    pos_updated_date: row.last_updated_at,
    price_tiers: tiers.length > 0 ? tiers : null,
    images: images(row.e_commerce?.all_images ?? [], [row.e_commerce?.primary_image ?? null]),
  };
}

/** The name of a product with its size, because variants share a name. */
export function productName({ product_id, product_configurable_fields: fields, e_commerce }: Product): string {
  const name = fields.name ?? e_commerce?.menu_title ?? `Product ${product_id}`;
  return fields.size ? `${name} - ${fields.size}` : name;
}

/** Treez's product types in capitals. */
const categories: Readonly<Record<string, ProductCategory>> = {
  FLOWER: "flower",
  PREROLL: "flower",
  CARTRIDGE: "oil/concentrate",
  EXTRACT: "extract",
  EDIBLE: "edible",
  PILL: "edible",
  BEVERAGE: "edible_liquid",
  TINCTURE: "liquid",
  TOPICAL: "topical",
  PLANT: "plant",
  MERCH: "accessory",
  MISC: "other",
  "NON-INV": "other",
};

/** The category for Treez's product type, or else for the words in type and subtype. */
export function categoryOf(type: string | null, subtype: string | null = null): ProductCategory | null {
  return knownCategoryOf(type) ?? productCategory(type, subtype);
}

/** Whether products of a type contain cannabis; null for a type that Treez does not document. */
export function isMedicated(type: string | null): boolean | null {
  const category = knownCategoryOf(type);
  return category === null ? null : category !== "accessory" && category !== "other";
}

function knownCategoryOf(type: string | null): ProductCategory | null {
  const name = (type ?? "").toUpperCase();
  return Object.hasOwn(categories, name) ? (categories[name] ?? null) : null;
}

export function skuOf({ product_barcodes, product_configurable_fields }: Product): string | null {
  return product_barcodes.find((sku) => sku !== null) ?? product_configurable_fields.external_id ?? null;
}

/** The net weight of a product. An amount in milligrams is the dose of an edible, not its weight. */
export function netWeight({ product_configurable_fields: fields }: Product): number | null {
  const { uom, amount = null, total_flower_weight_g = null, total_concentrate_weight_g = null } = fields;
  if (uom === "GRAMS" || uom === "OUNCES") return grams(amount, uom);
  if (uom !== "MILLIGRAMS") return null;
  return grams(total_flower_weight_g, "g") ?? grams(total_concentrate_weight_g, "g");
}

const priceTiers = (pricing: Product["pricing"]) =>
  (pricing?.tier_pricing_detail ?? []).flatMap(({ start_value, price_per_value }) => {
    const type = pricing?.tier_method?.toLowerCase() ?? "quantity";
    return priceTier(dollarsToCents(price_per_value), type, start_value, pricing?.tier_name ?? null);
  });
