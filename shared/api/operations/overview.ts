import { defineOperation, E3, readsSales } from "../operation.ts";
import { pagedQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { type CrbOverview, crbOverview } from "../schemas/overview.ts";
import { exampleIds, exampleList } from "./examples.ts";

const watched: CrbOverview = {
  crb_id: exampleIds.crb,
  name: "High Plains Cannabis LLC",
  dba: null,
  state: "CO",
  status: "svc_approved",
  as_of: "2026-03-03T07:30:00.000Z",
  data: { state: "current", data_as_of: "2026-03-03T07:20:02.118Z" },
  sales_days: [
    {
      date: "2026-03-02",
      total_paid: 3_120_405,
      cash_sales_low: 1_841_200,
      cash_sales_high: 1_902_650,
      unknown_totals: 0,
      unknown_paid_amounts: 0,
      complete: true,
    },
  ],
  flagged_sales: { red_flag: 0, warning: 3, svc_checked: 2_512, unchecked: 788, since: "2026-02-01" },
  license: { status: "expiring", count: 1, next_expiry: "2026-04-30" },
  balance: null,
  open_insights: 1,
  documents_to_review: 0,
  matters: [
    { code: "revenue_above_baseline", since: "2026-03-02", count: 1, id: exampleIds.insight },
    { code: "license_expiring", since: "2026-01-30", count: 1, id: exampleIds.license },
  ],
};

export const getOverview = defineOperation({
  handler: "overview/getOverview",
  routes: [{ operationId: "getOverview", path: "/service-providers/{sp_id}/overview", ...readsSales }],
  tag: "Overview",
  summary: "Read the overview of all CRBs",
  description:
    "One row for each CRB: its newest sales days, the freshness of its records, its licenses, its cash, and what needs a decision or attention. The CRB with the gravest and oldest matter comes first. A service provider with more than 5,000 CRBs gets them in the order of `listServiceProviderCrbs`. The service computes the figures every 15 minutes; insights, documents, names and statuses are as of the request.",
  query: pagedQuery,
  requests: { first: { summary: "The first fifty rows", query: { limit: "50" } } },
  businessField: "crb_id",
  success: { schema: listOf(crbOverview), description: "A page of the overview", example: exampleList(watched) },
  errors: E3,
  permissionSets: ["overview:read"],
});
