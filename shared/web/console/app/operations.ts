import type { operations as described } from "../../../../clients/typescript/openApi.ts";

// The types come from the description of the API, so the console can do nothing that a program cannot.

/** An operation that the console calls, with the section of the reference page. */
interface Called {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly tag: string;
}

/**
 * The operations that the console calls, by id. A screen that needs another one adds its line;
 * test/shared/web/console/app/operations.test.ts compares the lines with the operation registry.
 */
export const operations = {
  getSignIn: { method: "GET", path: "/sign-in/{short_name}", tag: "Persons" },
  exchangeToken: { method: "POST", path: "/auth/token", tag: "Authentication" },
  getOverview: { method: "GET", path: "/service-providers/{sp_id}/overview", tag: "Overview" },
  listInsights: { method: "GET", path: "/service-providers/{sp_id}/insights", tag: "Insights" },
  getCrbInfo: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}", tag: "CRB Info" },
  listCrbReplications: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/replications", tag: "Changes" },
  listCrbSalesDays: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/sales-days", tag: "Sales" },
  listReconciliationDays: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-days",
    tag: "Deposits",
  },
  listCrbStateDays: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/state-days",
    tag: "State Systems",
  },
  decideInsight: { method: "PUT", path: "/service-providers/{sp_id}/insights/{insight_id}", tag: "Insights" },
  listDocumentsToReview: {
    method: "GET",
    path: "/service-providers/{sp_id}/documents-to-review",
    tag: "CRB Templates",
  },
  getCrbDocumentDownload: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/documents/{doc_id}/download",
    tag: "Documents",
  },
  updateRequirementDocumentStatus: {
    method: "PUT",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
    tag: "CRB Templates",
  },
  listCrbSales: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/sales", tag: "Sales" },
  explainCrbSaleChecks: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/sales/{sale_id}/checks",
    tag: "Sales",
  },
  searchLicenses: { method: "GET", path: "/service-providers/{sp_id}/licenses-search", tag: "Service Provider" },
  listCrbLicenses: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses", tag: "Licenses" },
  linkCrbLicense: {
    method: "PUT",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}",
    tag: "Licenses",
  },
  unlinkCrbLicense: {
    method: "DELETE",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}",
    tag: "Licenses",
  },
  storeDeposits: { method: "PUT", path: "/service-providers/{sp_id}/crbs/{crb_id}/deposits", tag: "Deposits" },
  listCashCounts: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts", tag: "Deposits" },
  setCashCount: {
    method: "PUT",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts/{date}",
    tag: "Deposits",
  },
  createStatement: { method: "POST", path: "/service-providers/{sp_id}/crbs/{crb_id}/statements", tag: "Statements" },
  listStatements: { method: "GET", path: "/service-providers/{sp_id}/crbs/{crb_id}/statements", tag: "Statements" },
  getStatement: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/statements/{statement_id}",
    tag: "Statements",
  },
  getInsightSettings: { method: "GET", path: "/service-providers/{sp_id}/insight-settings", tag: "Insights" },
  setInsightSettings: { method: "PUT", path: "/service-providers/{sp_id}/insight-settings", tag: "Insights" },
  getReconciliationSettings: {
    method: "GET",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-settings",
    tag: "Deposits",
  },
  setReconciliationSettings: {
    method: "PUT",
    path: "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-settings",
    tag: "Deposits",
  },
  createAccessReport: { method: "POST", path: "/service-providers/{sp_id}/access-reports", tag: "Access reports" },
  listAccessReports: { method: "GET", path: "/service-providers/{sp_id}/access-reports", tag: "Access reports" },
  getAccessReport: {
    method: "GET",
    path: "/service-providers/{sp_id}/access-reports/{report_id}",
    tag: "Access reports",
  },
} as const satisfies { readonly [Id in keyof described]?: Called };

export type OperationId = keyof typeof operations;

type Given<Part> = NonNullable<Part>;
type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : undefined;
type PathOf<Id extends OperationId> = Omit<Given<described[Id]["parameters"]["path"]>, "sp_id">;

/** The parameters of a call: the path's without `sp_id`, which is that of the session, the query's, the body and the key. */
export interface Input<Id extends OperationId> {
  path?: PathOf<Id>;
  query?: Given<described[Id]["parameters"]["query"]>;
  body?: Json<Given<described[Id]["requestBody"]>>;
  /** The `Idempotency-Key` of an operation that creates a record. */
  idempotencyKey?: string;
}

/** The response of an operation. */
export type Output<Id extends OperationId> = Json<described[Id]["responses"][200]>;

/** The anchor of an operation on the reference page (shared/web/reference/documentWithGuides.ts). */
export const operationAnchor = (id: OperationId): string =>
  `#tag/${operations[id].tag
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s+/g, "-")}/${id}`;
