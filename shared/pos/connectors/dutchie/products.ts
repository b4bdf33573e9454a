import { dollarsToCents, dollarsToFineCents, nullIfNegative } from "../../framework/conversions/cents.ts";
import { grams, gramsPer, isDose } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { prices, priceTier } from "../../framework/conversions/prices.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { thcMilligrams } from "../../framework/conversions/thc.ts";
import { emptyProduct, type PosProduct, type ProductCategory } from "../../posRecords.ts";
import type { Product } from "./responses.ts";

/** @param keyKind the kind of sales that the key is for; the product gets the price for this kind */
export function productRecord(row: Product, keyKind: "medical" | "rec"): PosProduct {
  const category = productCategory(row.masterCategory, row.category, row.regulatoryCategory);
  const netWeight = netWeightOf(row, category);
  return {
    ...emptyProduct,
    pos_product_id: row.productId,
    name: row.productName ?? row.internalName ?? `Product ${row.productId}`,
    svc_product_category_name: category,
    pos_product_category_name: row.masterCategory ?? row.category,
    pos_product_subcategory_name: subcategoryOf(row),
    pos_strain_name: row.strain,
    pos_brand_name: row.brandName,
    medicated: row.isCannabis,
    sku: row.sku,
    description: row.description,
    svc_net_weight_grams: netWeight,
    thc_mg_per_unit: thcMilligrams(row.thcContent, row.thcContentUnit, netWeight),
    pos_unit_of_measure: row.defaultUnit ?? row.unitType,
    ...prices(dollarsToCents(priceOf(row, keyKind)), priceTiers(row)),
    unit_cost: nullIfNegative(dollarsToFineCents(row.unitCost)),
    pos_updated_date: row.lastModifiedDateUTC,
    images: images(row.imageUrls, [row.imageUrl]),
  };
}

/** If the net weight is a dose, the grams of the product may repeat it, so they do not count. */
function netWeightOf({ netWeight, netWeightUnit, productGrams }: Product, category: ProductCategory | null) {
  if ((netWeight ?? 0) > 0 && isDose(gramsPer(netWeightUnit), category)) return null;
  return grams(netWeight, netWeightUnit) ?? grams(productGrams, "g");
}

function subcategoryOf({ masterCategory, category, ecomSubcategory }: Product): string | null {
  return masterCategory !== null && category !== null && masterCategory !== category ? category : ecomSubcategory;
}

/** The price in dollars: the price for the key's kind of sales, else the general price, else the price for the other kind. */
export function priceOf({ recPrice, medPrice, price }: Product, keyKind: "medical" | "rec"): string | null {
  return keyKind === "rec" ? (recPrice ?? price ?? medPrice) : (medPrice ?? price ?? recPrice);
}

function priceTiers({ pricingTierName, pricingTierData }: Product) {
  return pricingTierData.flatMap(({ startWeight, endWeight, price }) => {
    const condition = endWeight === null ? `>=${startWeight ?? 0}` : `${startWeight ?? 0}-${endWeight}`;
    return priceTier(dollarsToCents(price), "weight", condition, pricingTierName);
  });
}
