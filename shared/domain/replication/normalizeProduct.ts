import type { Connection } from "../../pos/connector.ts";
import type { PosProduct } from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/**
 * Builds the product record of the API from a POS record, with the fields in the order of docs/spec.md#products-and-inventory.
 */
export function normalizeProduct(connection: Connection, product: PosProduct): RecordToWrite<RecordContent["product"]> {
  const { crbId, posType, timezone } = connection;
  const id = recordId(crbId, "product", posType, product.pos_product_id);
  return {
    id,
    content: {
      crb_id: crbId,
      id,
      pos_product_id: product.pos_product_id,
      pos_type: posType,
      name: product.name,
      svc_product_category_name: product.svc_product_category_name,
      pos_product_category_name: product.pos_product_category_name,
      pos_product_subcategory_name: product.pos_product_subcategory_name,
      pos_strain_name: product.pos_strain_name,
      pos_brand_name: product.pos_brand_name,
      medicated: product.medicated,
      sku: product.sku,
      description: product.description,
      svc_net_weight_grams: product.svc_net_weight_grams,
      thc_mg_per_unit: product.thc_mg_per_unit,
      pos_unit_of_measure: product.pos_unit_of_measure,
      price: product.price,
      unit_cost: product.unit_cost,
      pos_updated_date: product.pos_updated_date,
      pos_updated_date_local: toLocalTime(product.pos_updated_date, timezone),
      svc_created_date: null,
      svc_updated_date: null,
      price_tiers:
        product.price_tiers?.map((tier) => ({
          tier_name: tier.tier_name,
          tier_price: tier.tier_price,
          pos_tier_type: tier.pos_tier_type,
          pos_tier_type_condition_value: tier.pos_tier_type_condition_value,
          tier_valid_until_date: tier.tier_valid_until_date,
          tier_valid_until_date_local: toLocalTime(tier.tier_valid_until_date, timezone),
        })) ?? null,
      images: product.images?.map(({ url, description }) => ({ url, description })) ?? null,
    },
  };
}
