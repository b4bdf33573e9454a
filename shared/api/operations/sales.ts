import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { salesQuery, serviceProviderSalesQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { sale } from "../schemas/sale.ts";
import { exampleIds, exampleList } from "./examples.ts";
import { exampleProduct } from "./products.ts";

/** Two tins at 20.00, 4.00 off, and 15 % tax. */
const exampleRetailSale = {
  id: exampleIds.retailSale,
  pos_sale_id: "88120457",
  crb_id: exampleIds.crb,
  subtotal: 3600,
  total_discounts: 400,
  tax_paid: 540,
  total_paid: 4140,
  date: "2026-03-02T19:40:58.000Z",
  local_date: "2026-03-02 12:40:58.000",
  svc_created_date: "2026-03-02T19:45:31.206Z",
  svc_updated_date: "2026-03-02T19:45:31.206Z",
  transaction_type: "sale",
  pos_name: "Dutchie",
  type: "retail",
  employee_id: "5512",
  line_items: [
    {
      product_id: exampleIds.product,
      pos_product_id: exampleProduct.pos_product_id,
      product_name: exampleProduct.name,
      num_units: 2,
      price_per_unit: 2000,
      grams: 85,
      thc_mg_per_unit: 100,
      product_type: "edible",
      cannabis_product: true,
      line_item_discounts: [{ flat_amount: 400, pct_amount: 0.1, name: "Loyalty" }],
      line_item_taxes: [{ flat_amount: 540, pct_amount: 0.15, name: "Retail marijuana sales tax" }],
      line_item_fees: [],
    },
  ],
  discounts: [],
  taxes: [],
  payments: [{ type: "cash", amount_paid: 4140 }],
  customer: {
    customer_id: exampleIds.customer,
    pos_customer_id: "1001",
    type: "rec",
    dob: "1988-09-14",
    id_type: "drivers",
    id_expiration_date: "2029-09-14",
  },
  fees: [],
  compliance_status: "unchecked",
  compliance_exceptions: null,
  compliance_warnings: null,
} as const;

/** A hundred tins at 8.50, delivered for 15.00; 500.00 are paid. */
const exampleWholesaleSale = {
  id: exampleIds.wholesaleSale,
  pos_sale_id: "INV-20931",
  crb_id: exampleIds.crb,
  subtotal: 85000,
  total_discounts: 0,
  tax_paid: 0,
  total_paid: 86500,
  date: "2026-03-01T21:12:00.000Z",
  local_date: "2026-03-01 14:12:00.000",
  svc_created_date: "2026-03-01T21:15:09.433Z",
  svc_updated_date: "2026-03-02T17:00:11.098Z",
  transaction_type: "sale",
  pos_name: "Dutchie Wholesale",
  type: "wholesale",
  line_items: [
    {
      product_id: exampleIds.product,
      pos_product_id: exampleProduct.pos_product_id,
      product_name: exampleProduct.name,
      num_units: 100,
      price_per_unit: 850,
      grams: 4250,
      thc_mg_per_unit: 100,
      product_type: "edible",
      cannabis_product: true,
      line_item_discounts: [],
      line_item_taxes: [],
      line_item_fees: [],
    },
  ],
  discounts: [],
  taxes: [],
  payments: [{ type: "ach", amount_paid: 50000 }],
  customer: {
    customer_id: exampleIds.customer,
    pos_customer_id: "3017",
    type: null,
    dob: null,
    id_type: null,
    id_expiration_date: null,
  },
  fees: [{ fee_name: "Delivery", percent_amount: null, flat_amount: 1500, included_in_subtotal: false }],
  invoice: {
    id: "INV-20931",
    pos_customer_id: "3017",
    memo: "Deliver to the back entrance",
    open_balance: 36500,
    total: 86500,
  },
} as const;

export const listSales = defineOperation({
  handler: "sales/listSales",
  routes: bothFamilies(
    { operationIds: ["listCrbSales", "listSales"], below: "/sales", ownSummary: "List your own sales" },
    { query: serviceProviderSalesQuery },
  ),
  tag: "Sales",
  summary: "List the sales of a CRB",
  description:
    "The sale that changed last comes first; with `start_date` or `end_date`, the newest day of sale, which is the day of `local_date`. Paging by `offset` misses no sale that stays unchanged meanwhile. To read those that changed, set `last_updated_from` to the day on which you began. All filters must match, and those but `compliance_status` can be combined freely. Only a customer with more than 4096 sales, such as one who stands for all walk-in customers, needs `start_date` and `end_date` at most 31 days apart; else the response is 422 `window_required`. The `type` of a sale says whether it is retail or wholesale.",
  query: salesQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(sale),
    description: "A page of sales",
    example: exampleList(exampleRetailSale, exampleWholesaleSale),
  },
  errors: E4,
  permissionSets: ["sales:list"],
});
