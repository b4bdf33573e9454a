import { fine, nullIfNegative, wholeCents } from "../../framework/conversions/cents.ts";
import { grams, gramsPer, isDose, weight } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { prices, priceTier } from "../../framework/conversions/prices.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import { thcMilligrams } from "../../framework/conversions/thc.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { emptyProduct, type PosProduct, type ProductCategory } from "../../posRecords.ts";
import type { StockRow } from "./responses.ts";

/** Flowhub lists no products, only stock. `variantId` is preferred: `productId` may differ between batches. */
export function productIdOf(row: Record<"variantId" | "productId" | "parentProductId", string | null>): string | null {
  return row.variantId ?? row.productId ?? row.parentProductId;
}

/** The distinct products of a list of stock, each by its latest row. */
export class StockProducts {
  readonly #latest: NextRecords<{ age: string; record: PosProduct }>;

  /** @param behind see NextRecords */
  constructor(behind: string | null) {
    this.#latest = new NextRecords(behind, undefined, (known, other) => (other.age > known.age ? other : known));
  }

  take(row: StockRow): void {
    const id = productIdOf(row) ?? row.productId;
    this.#latest.add(id, { age: ageOf(row), record: productRecord(id, row) });
  }

  /** The products, and whether more products follow. */
  list(): { records: PosProduct[]; hasMore: boolean } {
    const { records, hasMore } = this.#latest.take();
    return { records: records.map(({ record }) => record), hasMore };
  }
}

/** Sort key of a row: the greatest wins. It ends with ids, so that every pull chooses the same row. */
function ageOf({ productUpdatedAt, productId, regulatoryId, sku }: StockRow): string {
  return [productUpdatedAt ?? "", productId, regulatoryId ?? "", sku ?? ""].join(" ");
}

function productRecord(id: string, row: StockRow): PosProduct {
  const category = productCategory(row.category, row.customCategoryName, row.type);
  const netWeight = netWeightOf(row, category);
  return {
    ...emptyProduct,
    pos_product_id: id,
    name: row.productName ?? row.parentProductName ?? `Product ${id}`,
    svc_product_category_name: category,
    pos_product_category_name: row.category,
    pos_product_subcategory_name: row.customCategoryName ?? row.type,
    pos_strain_name: row.strainName,
    pos_brand_name: row.brand,
    medicated: isMedicated(row),
    sku: row.sku,
    description: row.productDescription,
    svc_net_weight_grams: netWeight,
    thc_mg_per_unit: thcPerUnit(row, netWeight),
    pos_unit_of_measure: row.productUnitOfMeasure,
    ...prices(wholeCents(row.preTaxPriceInPennies ?? row.priceInMinorUnits), priceTiers(row)),
    unit_cost: nullIfNegative(row.costInMinorUnits === null ? null : fine(Number(row.costInMinorUnits))),
    pos_updated_date: row.productUpdatedAt,
    images: images([row.productPictureURL]),
  };
}

/** The net weight, by the factor to grams or else by the unit. */
function netWeightOf(row: StockRow, category: ProductCategory | null): number | null {
  const { productWeight, productUnitOfMeasure: unit, productUnitOfMeasureToGramsMultiplier: gramsEach } = row;
  if ([gramsPer(unit), gramsEach].some((each) => isDose(each, category))) return null;
  return weight(productWeight, gramsEach) ?? grams(productWeight, unit);
}

const priceTiers = ({ weightTierInformation }: StockRow) =>
  weightTierInformation.flatMap(({ gramAmount, pricePerUnitInMinorUnits }) =>
    priceTier(wholeCents(pricePerUnitInMinorUnits), "weight", gramAmount, null),
  );

/** The THC of a unit by the analysis, if both ends of its range and several results agree, except for rounding. */
function thcPerUnit({ cannabinoidInformation }: StockRow, netWeight: number | null): number | null {
  const amounts = cannabinoidInformation
    .filter(({ name }) => name?.toLowerCase() === "thc")
    .map(({ lowerRange, upperRange, unitOfMeasure }) =>
      lowerRange === upperRange ? thcMilligrams(lowerRange, unitOfMeasure, netWeight) : null,
    );
  const [first = null] = amounts;
  const isOne = amounts.every((amount) => amount !== null && Math.abs(amount - (first ?? 0)) <= 0.01 * amount);
  return isOne ? first : null;
}

/** Whether a product contains cannabis, by its categories or else by its analysis. */
export function isMedicated({
  category,
  customCategoryName,
  type,
  cannabinoidInformation,
}: Pick<StockRow, "category" | "customCategoryName" | "type" | "cannabinoidInformation">): boolean | null {
  const hasThc = cannabinoidInformation.some(
    ({ name, lowerRange, upperRange }) =>
      name?.toLowerCase().startsWith("thc") && ((lowerRange ?? 0) > 0 || (upperRange ?? 0) > 0),
  );
  return cannabisOf([category, customCategoryName, type], hasThc);
}
