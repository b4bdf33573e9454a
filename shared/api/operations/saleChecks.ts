import { bothFamilies, defineOperation, E3, E4 } from "../operation.ts";
import { noQuery, saleRulesQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { saleChecks, saleRule } from "../schemas/saleRule.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleRule = {
  id: "CO.adult.sale_equivalent",
  state: "CO",
  check: "transaction_limit",
  applies_to: "adult",
  value: 28.349523,
  unit: "g_flower_equivalent",
  tolerance: 0.283495,
  equivalence: { g_flower: 1, g_concentrate: 3.54369, mg_thc: 0.035437 },
  not_limited: ["topical", "plant"],
  period: "sale",
  from: "2024-01-01",
  to: null,
  citation: "1 CCR 212-3 Rule 6-110(C)(1)-(2)",
  sources: [
    {
      title: "Press, Westword 2025: daily sales limit still 1 oz, 8 g or 800 mg",
      url: "https://www.westword.com/marijuana/colorado-marijuana-purchase-limit-doubles-if-bill-passes-23661705",
      read: "2026-11-28",
    },
    {
      title: "Press, CPR 2025-03-24: House removed the doubling from HB25-1209",
      url: "https://cpr.org/2025/03/24/raise-daily-marijuana-purchase-limits-bill-advances",
      read: "2026-11-28",
    },
    {
      title: "Compliance firm, quotes the equivalency rule, in force 2016-10-01",
      url: "https://mycomplia.com/2016/09/20/new-one-ounce-equivalency-rules/",
      read: "2026-11-28",
    },
  ],
  remarks: [
    "edibles count by mg THC, which the data do not hold: the sum is a lower bound",
    "non-edible, non-psychoactive products (ointments, lotions) are outside the limit",
    "possession is 2 oz since 2021, the sale stays at 1 oz",
    "start unknown; a source is older than 2024-01-01, so 2024-01-01 is used (2016)",
  ],
  severity: "exception",
  enabled: true,
  why_not: null,
} as const;

export const listSaleRules = defineOperation({
  handler: "sales/listSaleRules",
  routes: [
    {
      operationId: "listSaleRules",
      method: "GET",
      path: "/service-providers/{sp_id}/sale-rules",
      caller: "serviceProvider",
      scope: "point-of-sale:read",
    },
  ],
  tag: "Sales",
  summary: "List the rules that sales are checked against",
  description:
    "The rules of this stage, by state, those of every state last. `enabled` says whether sales are checked against a rule, and `why_not` why not. They are facts of the days that they name, and no legal advice: a lawyer of the state must confirm them before you rely on them.",
  query: saleRulesQuery,
  requests: { state: { summary: "The rules of Colorado on a day", query: { state: "CO", date: "2026-03-02" } } },
  success: { schema: listOf(saleRule), description: "A page of rules", example: exampleList(exampleRule) },
  errors: E3,
  permissionSets: [],
});

export const explainSaleChecks = defineOperation({
  handler: "sales/explainSaleChecks",
  routes: bothFamilies({
    operationIds: ["explainCrbSaleChecks", "explainSaleChecks"],
    below: "/sales/{sale_id}/checks",
    ownSummary: "Explain the checks of one of your own sales",
  }),
  tag: "Sales",
  summary: "Explain the checks of a CRB's sale",
  description:
    "What each enabled rule of the state says of the sale as it is stored now: passed, violated, or not evaluated with the reason. A wholesale sale has no checks. The checks are facts of the day of sale and no legal advice: a lawyer of the state must confirm the rules.",
  query: noQuery,
  success: {
    schema: saleChecks,
    description: "The checks of the sale",
    example: {
      sale_id: exampleIds.retailSale,
      state: "CO",
      date: "2026-03-02",
      rules_version: "5d41402abc4b",
      checks: [
        {
          rule_id: "CO.adult.minimum_age",
          outcome: "passed",
          why: null,
          limit: 21,
          value: 37,
          unit: "years",
          citation: "1 CCR 212-3 Rule 6-110(A)-(B)",
        },
        {
          rule_id: "CO.adult.sale_equivalent",
          outcome: "not_evaluated",
          why: "amounts_missing",
          limit: 28.349523,
          value: 0,
          unit: "g_flower_equivalent",
          citation: "1 CCR 212-3 Rule 6-110(C)(1)-(2)",
        },
      ],
    },
  },
  errors: E4,
  permissionSets: ["sales:explain"],
});
