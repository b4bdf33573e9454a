import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { salesDaysQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { type SalesDay, salesDay } from "../schemas/salesDay.ts";
import { exampleIds, exampleList } from "./examples.ts";

const none = { count: 0, total_paid: 0 };

/** The day of the retail sale in the example of `listSales`. It is not over yet. */
const current: SalesDay = {
  crb_id: exampleIds.crb,
  date: "2026-03-02",
  timezone: "America/Denver",
  sales: 1,
  returns: 0,
  adjustments: 0,
  subtotal: 3600,
  total_discounts: 400,
  fees: 0,
  tax_paid: 540,
  total_paid: 4140,
  by_payment: [{ type: "cash", count: 1, amount: 4140 }],
  by_customer_type: { medical: none, rec: { count: 1, total_paid: 4140 }, unknown: none },
  gross_sales: 4140,
  by_compliance: { unchecked: { count: 1, total_paid: 4140 }, svc_checked: none, warning: none, red_flag: none },
  rules_version: "5d41402abc4b",
  invoiced: 0,
  open_balance: 0,
  unknown_amounts: 0,
  unknown_subtotals: 0,
  unknown_totals: 0,
  unknown_paid_amounts: 0,
  mismatched: 0,
  records: 1,
  digest: "ca308db08ea7385bc5d215e03903cdcc03ef1a7442fa088537234fb8ba7c2a9e",
  data_as_of: "2026-03-02T20:00:02.118Z",
  complete: false,
  completed_date: null,
  revision: 0,
  svc_updated_date: "2026-03-02T19:45:31.206Z",
};

/** The day of the wholesale sale in that example. The sale changed after the day was complete. */
const revised: SalesDay = {
  ...current,
  date: "2026-03-01",
  subtotal: 85000,
  total_discounts: 0,
  fees: 1500,
  tax_paid: 0,
  total_paid: 86500,
  by_payment: [{ type: "ach", count: 1, amount: 50000 }],
  by_customer_type: { medical: none, rec: none, unknown: { count: 1, total_paid: 86500 } },
  gross_sales: 86500,
  by_compliance: { unchecked: none, svc_checked: none, warning: none, red_flag: none },
  invoiced: 86500,
  open_balance: 36500,
  digest: "1fc26677744c76727b76688ba2c8e43183ca3b162d38ee8a9e49a0b8bac8bd53",
  complete: true,
  completed_date: "2026-03-02T07:15:09.540Z",
  revision: 1,
  svc_updated_date: "2026-03-02T17:00:11.098Z",
};

export const listSalesDays = defineOperation({
  handler: "salesDays/listSalesDays",
  routes: bothFamilies({
    operationIds: ["listCrbSalesDays", "listSalesDays"],
    below: "/sales-days",
    ownSummary: "List the totals of your own sales days",
  }),
  tag: "Sales",
  summary: "List the totals of a CRB's sales days",
  description:
    "The totals of each business day in the CRB's time zone, newest day first. They always equal the sums over the stored sales of the day. `complete` says that the day is over and all of its sales in the POS are stored, except rejected ones. A day without sales is listed once it is complete. If a sale of a complete day changes later, `revision` rises. With `digest` you can check that your copy has all sales of the day in their latest version.",
  query: salesDaysQuery,
  requests: { week: { summary: "The newest seven days", query: { limit: "7" } } },
  success: { schema: listOf(salesDay), description: "A page of sales days", example: exampleList(current, revised) },
  errors: E4,
  permissionSets: ["salesDays:list"],
});
