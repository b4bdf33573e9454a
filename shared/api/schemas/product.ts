import * as z from "zod";
import { posTypeName, productCategory } from "./codes.ts";
import { dateTime, localDateTime, price, thcPerUnit, uuid } from "./scalars.ts";

const text = z.string().nullable();

/** A price that applies under a condition (docs/spec.md#products-and-inventory). */
const priceTier = z
  .strictObject({
    tier_name: text.describe("Name, if any"),
    tier_price: price.describe("Cents"),
    pos_tier_type: z.string().describe("Kind of condition in the POS, such as quantity or weight"),
    pos_tier_type_condition_value: z.string().describe("Condition that applies the tier"),
    tier_valid_until_date: dateTime.nullable().describe("When the price ends"),
    tier_valid_until_date_local: localDateTime.nullable(),
  })
  .meta({ id: "PriceTier", description: "A price that applies under a condition" });

/** A product, the same in lists and inside an inventory record (docs/spec.md#products-and-inventory). */
export const product = z
  .strictObject({
    crb_id: uuid.describe("Owning CRB"),
    id: uuid.describe("The `product_id`"),
    pos_product_id: z.string().describe("Id in the POS"),
    pos_type: posTypeName.describe("Source POS"),
    name: z.string().describe("Product name"),
    svc_product_category_name: productCategory.nullable().describe("Standardized category; null if none fits"),
    pos_product_category_name: text.describe("Category in the POS"),
    pos_product_subcategory_name: text.describe("Subcategory in the POS"),
    pos_strain_name: text.describe("Strain in the POS"),
    pos_brand_name: text.describe("Brand in the POS"),
    medicated: z.boolean().nullable().describe("Whether it contains THC"),
    sku: text.describe("Stock-keeping unit"),
    description: text.describe("Product description"),
    svc_net_weight_grams: z.number().min(0).nullable().describe("Computed net weight in grams, never an amount of THC"),
    thc_mg_per_unit: thcPerUnit,
    pos_unit_of_measure: text.describe("Unit of sale in the POS"),
    price: price
      .nullable()
      .describe(
        "Cents, before tax; null if the product is priced by tiers only, or if the price before tax is unknown",
      ),
    unit_cost: z.number().min(0).nullable().describe("Cents; null if the POS has none"),
    pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
    pos_updated_date_local: localDateTime.nullable(),
    svc_created_date: dateTime.describe("When the record was created in the service"),
    svc_updated_date: dateTime.describe("When the record last changed in the service"),
    price_tiers: z.array(priceTier).nullable().describe("Prices that apply under conditions, if the POS has them"),
    images: z
      .array(
        z.strictObject({
          url: z.string().describe("Address of the picture"),
          description: text.describe("Text from the POS"),
        }),
      )
      .nullable()
      .describe("Pictures"),
  })
  .meta({ id: "Product", description: "A product; the same record alone and inside an inventory record" });
