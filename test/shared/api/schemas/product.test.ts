import { describe } from "vitest";
import { product } from "../../../../shared/api/schemas/product.ts";
import { testRecordRules } from "./recordRules.ts";
import { badDateTimes, badIds, badLocalDateTimes, dateTime, id, localDateTime, otherId } from "./values.ts";

const tier = {
  tier_name: "Eighth",
  tier_price: 0,
  pos_tier_type: "weight",
  pos_tier_type_condition_value: "3.5",
  tier_valid_until_date: dateTime,
  tier_valid_until_date_local: localDateTime,
};
const image = { url: "https://images.example.com/1.jpg", description: null };
const record = {
  crb_id: otherId,
  id,
  pos_product_id: "1",
  pos_type: "Flowhub",
  name: "",
  svc_product_category_name: "oil/concentrate",
  pos_product_category_name: "Cartridge",
  pos_product_subcategory_name: "510",
  pos_strain_name: "Haze",
  pos_brand_name: "Brand",
  medicated: false,
  sku: "A-1",
  description: "Text",
  svc_net_weight_grams: 0.5,
  pos_unit_of_measure: "Each",
  price: 2 ** 31 - 1,
  unit_cost: 0.25,
  pos_updated_date: dateTime,
  pos_updated_date_local: localDateTime,
  svc_created_date: dateTime,
  svc_updated_date: dateTime,
  price_tiers: [tier],
  images: [image],
};

describe("Product", () =>
  testRecordRules({
    schema: product,
    record,
    nullable: [
      "svc_product_category_name",
      "pos_product_category_name",
      "pos_product_subcategory_name",
      "pos_strain_name",
      "pos_brand_name",
      "medicated",
      "sku",
      "description",
      "svc_net_weight_grams",
      "pos_unit_of_measure",
      "price",
      "unit_cost",
      "pos_updated_date",
      "pos_updated_date_local",
      "price_tiers",
      "images",
    ],
    rejected: {
      id: badIds,
      pos_type: ["flowhub", ""],
      svc_product_category_name: ["Flower", "concentrate"],
      svc_net_weight_grams: [-1, Number.POSITIVE_INFINITY],
      price: [-1, 0.5, 2 ** 31],
      unit_cost: [-0.01],
      pos_updated_date: badDateTimes,
      pos_updated_date_local: badLocalDateTimes,
      images: [[null], [{ ...image, url: null }], [{ url: image.url }], [{ ...image, width: 1 }]],
    },
  }));

describe("PriceTier", () =>
  testRecordRules({
    schema: product.shape.price_tiers.unwrap().element,
    record: tier,
    nullable: ["tier_name", "tier_valid_until_date", "tier_valid_until_date_local"],
    rejected: { tier_price: [-1, 0.5], tier_valid_until_date: badDateTimes, pos_tier_type_condition_value: [3.5] },
  }));
