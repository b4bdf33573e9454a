import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { noQuery, pagedUpdatedQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { product } from "../schemas/product.ts";
import { exampleIds, exampleList } from "./examples.ts";

export const exampleProduct = {
  crb_id: exampleIds.crb,
  id: exampleIds.product,
  pos_product_id: "20417",
  pos_type: "Dutchie",
  name: "Blackberry Lemonade Gummies 100 mg",
  svc_product_category_name: "edible",
  pos_product_category_name: "Edible",
  pos_product_subcategory_name: "Gummies",
  pos_strain_name: null,
  pos_brand_name: "Juniper Kitchen",
  medicated: true,
  sku: "JK-GUM-BBL-100",
  description: "Ten pieces of 10 mg THC each, made with fruit purée.",
  svc_net_weight_grams: 42.5,
  thc_mg_per_unit: 100,
  pos_unit_of_measure: "Each",
  price: 2000,
  unit_cost: 840.5,
  pos_updated_date: "2026-02-27T16:05:33.000Z",
  pos_updated_date_local: "2026-02-27 09:05:33.000",
  svc_created_date: "2026-02-11T18:29:47.106Z",
  svc_updated_date: "2026-02-27T16:15:02.540Z",
  price_tiers: null,
  images: [{ url: "https://images.example.com/products/20417.jpg", description: "Front of the tin" }],
} as const;

/** A product without a price of its own: the price depends on the weight. */
const exampleTieredProduct = {
  ...exampleProduct,
  id: exampleIds.tieredProduct,
  pos_product_id: "20433",
  name: "Mountain Haze",
  svc_product_category_name: "flower",
  pos_product_category_name: "Flower",
  pos_product_subcategory_name: "Bulk Flower",
  pos_strain_name: "Mountain Haze",
  pos_brand_name: "Sage Mesa Farms",
  sku: "SM-FLW-MHZ",
  description: null,
  svc_net_weight_grams: 1,
  thc_mg_per_unit: null,
  pos_unit_of_measure: "Gram",
  price: null,
  unit_cost: 310,
  price_tiers: [
    {
      tier_name: "Gram",
      tier_price: 1200,
      pos_tier_type: "weight",
      pos_tier_type_condition_value: "1",
      tier_valid_until_date: null,
      tier_valid_until_date_local: null,
    },
    {
      tier_name: "Eighth, spring offer",
      tier_price: 3500,
      pos_tier_type: "weight",
      pos_tier_type_condition_value: "3.5",
      tier_valid_until_date: "2026-05-01T05:59:59.000Z",
      tier_valid_until_date_local: "2026-04-30 23:59:59.000",
    },
  ],
  images: null,
} as const;

export const listProducts = defineOperation({
  handler: "products/listProducts",
  routes: bothFamilies({
    operationIds: ["listCrbProducts", "listProducts"],
    below: "/products",
    ownSummary: "List your own products",
  }),
  tag: "Products",
  summary: "List the products of a CRB",
  description:
    "The product that changed last comes first. Paging by `offset` misses no product that stays unchanged meanwhile. To read those that changed, set `last_updated_from` to the day on which you began.",
  query: pagedUpdatedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(product),
    description: "A page of products",
    example: exampleList(exampleProduct, exampleTieredProduct),
  },
  errors: E4,
  permissionSets: ["products:list"],
});

export const getProduct = defineOperation({
  handler: "products/getProduct",
  routes: bothFamilies({
    operationIds: ["getCrbProduct", "getProduct"],
    below: "/products/{product_id}",
    ownSummary: "Read one of your own products",
  }),
  tag: "Products",
  summary: "Read a product of a CRB",
  description: "A product that the POS no longer has stays readable.",
  query: noQuery,
  success: { schema: product, description: "The product", example: exampleProduct },
  errors: E4,
  permissionSets: ["products:read"],
});
