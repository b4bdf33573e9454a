import { defaultInsightSettings } from "../../insights/insightCodes.ts";
import { crbInsightsQuery, insightsQuery } from "../insightParameters.ts";
import { defineOperation, E3, E4, readsSales, writesAsProvider, writesAsReviewer } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import {
  crbInsightPage,
  insight,
  insightDecision,
  insightPage,
  insightSettings,
  insightSettingsRequest,
} from "../schemas/insight.ts";
import { exampleIds } from "./examples.ts";

const raised = {
  id: exampleIds.insight,
  crb_id: exampleIds.crb,
  code: "revenue_above_baseline",
  start_date: "2026-03-02",
  end_date: "2026-03-02",
  measured: 3_120_405,
  expected: 1_004_210,
  unit: "cents",
  criterion: "more than 2 times the median and more than 3 median deviations above it",
  sentence: "The sales of Monday 2026-03-02 were $31,204.05, 3.1 times the median of 8 earlier Mondays ($10,042.10).",
  latest: null,
  inputs: {
    days: [
      {
        start_date: "2026-03-02",
        end_date: "2026-03-02",
        digest: "ca308db08ea7385bc5d215e03903cdcc03ef1a7442fa088537234fb8ba7c2a9e",
      },
    ],
    sale_ids: [],
    sales: [],
    license_id: null,
    licenses: [],
  },
  status: "open",
  occurrence: 1,
  revision: 1,
  raised_date: "2026-03-03T07:20:41.118Z",
  withdrawn_date: null,
  history: [],
} as const;

const decision = { status: "explained", note: "Annual sale; the shop sent the flyer.", revision: 1 } as const;

const decided = {
  ...raised,
  status: "explained",
  revision: 2,
  history: [
    {
      date: "2026-03-03T15:02:10.004Z",
      status: "explained",
      note: decision.note,
      decided_by: exampleIds.issuer,
      decided_by_person: null,
      occurrence: 1,
    },
  ],
} as const;

const order =
  "Open insights come first, then escalated, explained, dismissed and withdrawn ones; each of them the gravest and the oldest first.";

const examplePage = { data: [raised], cursor: "UFfaVR5OdWQwIzA2IzIwMjYtMDMtMDIjNWI4YzJlMTn0hQ5D", has_more: false };

export const listInsights = defineOperation({
  handler: "insights/listInsights",
  routes: [{ operationId: "listInsights", path: "/service-providers/{sp_id}/insights", ...readsSales }],
  tag: "Insights",
  summary: "List the insights of all CRBs",
  description: `Unusual facts about the CRBs of the service provider, as a queue to work through. ${order} The service computes insights after each complete sales day, by codes with thresholds that you can set. An insight is a reason to look, never a proof.`,
  query: insightsQuery,
  requests: { open: { summary: "The open insights", query: { status: "open", limit: "100" } } },
  businessField: "crb_id",
  success: { schema: insightPage, description: "A page of insights", example: examplePage },
  errors: E3,
  permissionSets: ["insights:list"],
});

export const listCrbInsights = defineOperation({
  handler: "insights/listCrbInsights",
  routes: [
    { operationId: "listCrbInsights", path: "/service-providers/{sp_id}/crbs/{crb_id}/insights", ...readsSales },
  ],
  tag: "Insights",
  summary: "List the insights of a CRB",
  description: `Unusual facts about the CRB. ${order} No insight about days ends before \`judged_since\`: the first computation judges the 31 days up to the newest complete one. So \`listCrbSales\` with \`compliance_status\` also has earlier sales that break a rule. \`sale_checks\` says how many sales the rules could not check, and why.`,
  query: crbInsightsQuery,
  requests: { open: { summary: "The open insights", query: { status: "open", limit: "100" } } },
  success: {
    schema: crbInsightPage,
    description: "A page of insights",
    example: {
      ...examplePage,
      judged_since: "2026-01-31",
      sale_checks: {
        start_date: "2026-02-03",
        end_date: "2026-03-02",
        sales: 3_114,
        unchecked: 702,
        reasons: [
          { reason: "products_unclear", sales: 640 },
          { reason: "no_sale", sales: 62 },
        ],
      },
    },
  },
  errors: E4,
  permissionSets: ["crbInsights:list"],
});

export const decideInsight = defineOperation({
  handler: "insights/decideInsight",
  routes: [
    {
      operationId: "decideInsight",
      method: "PUT",
      path: "/service-providers/{sp_id}/insights/{insight_id}",
      ...writesAsReviewer,
      additionalScope: "point-of-sale:read",
    },
  ],
  tag: "Insights",
  summary: "Decide on an insight",
  description:
    "Adds a decision to `history` and sets `status`. Send the `revision` that you have read: a decision on figures that have changed since gets 409. A repeated request changes nothing. Never write into `note` what a suspicious activity report says, or whether there is one.",
  query: noQuery,
  body: insightDecision,
  requests: { explained: { summary: "An explained insight", body: decision } },
  businessField: "crb_id",
  success: { schema: insight, description: "The insight with the decision", example: decided },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The insight has changed or is withdrawn, or has 50 decisions. Nothing is stored.",
      examples: {
        changed: {
          code: "insight_changed",
          message: "The insight has changed since you read it. Read it again, then decide.",
          data: { revision: 2 },
        },
        withdrawn: {
          code: "insight_withdrawn",
          message: "The insight does not hold any more, so it takes no decision.",
        },
        limit: { code: "insight_limit", message: "An insight can have 50 decisions." },
      },
    },
  },
  permissionSets: ["insights:decide"],
});

const settingsPath = "/service-providers/{sp_id}/insight-settings";

export const getInsightSettings = defineOperation({
  handler: "insights/getInsightSettings",
  routes: [{ operationId: "getInsightSettings", path: settingsPath, ...readsSales }],
  tag: "Insights",
  summary: "Read the settings of insights",
  description: "For each code whether it is enabled, its threshold, and how much history it needs.",
  query: noQuery,
  success: { schema: insightSettings, description: "The settings", example: defaultInsightSettings },
  errors: E3,
  permissionSets: ["insightSettings:read"],
});

export const setInsightSettings = defineOperation({
  handler: "insights/setInsightSettings",
  routes: [{ operationId: "setInsightSettings", method: "PUT", path: settingsPath, ...writesAsProvider }],
  tag: "Insights",
  summary: "Change the settings of insights",
  description:
    "Replaces all settings; a code that is missing gets its defaults. They apply from the next computation on, which judges the newest 90 days again. A disabled code raises no insight and withdraws none.",
  query: noQuery,
  body: insightSettingsRequest,
  requests: {
    stricter: {
      summary: "A higher threshold for revenue",
      body: { revenue_above_baseline: { enabled: true, threshold: 3, minimum_history: 8 } },
    },
  },
  success: {
    schema: insightSettings,
    description: "The settings of all codes",
    example: { ...defaultInsightSettings, revenue_above_baseline: { enabled: true, threshold: 3, minimum_history: 8 } },
  },
  errors: [...E3, 409],
  permissionSets: ["insightSettings:change"],
});
