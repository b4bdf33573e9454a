import type { operations as described } from "../../../../clients/typescript/openApi.ts";
import type { Call } from "../../browser/api.ts";

// The types come from the description of the API, so the console can do nothing that a program cannot.

/** An operation that the console calls, with the section of the reference page. */
type Called = readonly [method: "GET" | "POST" | "PUT" | "DELETE", path: string, tag: string];

/**
 * The operations that the console calls, by id. A screen that needs another one adds its line;
 * test/shared/web/console/app/operations.test.ts compares the lines with the operation registry.
 */
export const operations = {
  getSignIn: ["GET", "/sign-in/{short_name}", "Persons"],
  exchangeToken: ["POST", "/auth/token", "Authentication"],
  getOverview: ["GET", "/service-providers/{sp_id}/overview", "Overview"],
  listInsights: ["GET", "/service-providers/{sp_id}/insights", "Insights"],
  listCrbInsights: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/insights", "Insights"],
  createCrb: ["POST", "/service-providers/{sp_id}/crbs", "Service Provider"],
  getCrbInfo: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}", "CRB Info"],
  listCrbReplications: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/replications", "Changes"],
  listCrbSalesDays: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/sales-days", "Sales"],
  listReconciliationDays: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-days", "Deposits"],
  listStateDays: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/state-days", "State Systems"],
  decideInsight: ["PUT", "/service-providers/{sp_id}/insights/{insight_id}", "Insights"],
  listDocumentsToReview: ["GET", "/service-providers/{sp_id}/documents-to-review", "CRB Templates"],
  getCrbOnboardingTemplate: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template", "CRB Templates"],
  listCredentials: ["GET", "/service-providers/{sp_id}/credentials", "Credentials"],
  getCrbDocumentDownload: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/documents/{doc_id}/download", "Documents"],
  updateRequirementDocumentStatus: [
    "PUT",
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
    "CRB Templates",
  ],
  listCrbSales: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/sales", "Sales"],
  explainCrbSaleChecks: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/sales/{sale_id}/checks", "Sales"],
  searchLicenses: ["GET", "/service-providers/{sp_id}/licenses-search", "Service Provider"],
  listCrbLicenses: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/licenses", "Licenses"],
  linkCrbLicense: ["PUT", "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}", "Licenses"],
  unlinkCrbLicense: ["DELETE", "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}", "Licenses"],
  storeDeposits: ["PUT", "/service-providers/{sp_id}/crbs/{crb_id}/deposits", "Deposits"],
  deleteDeposit: ["DELETE", "/service-providers/{sp_id}/crbs/{crb_id}/deposits/{deposit_id}", "Deposits"],
  listDeposits: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/deposits", "Deposits"],
  listCashCounts: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts", "Deposits"],
  setCashCount: ["PUT", "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts/{date}", "Deposits"],
  deleteCashCount: ["DELETE", "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts/{date}", "Deposits"],
  createStatement: ["POST", "/service-providers/{sp_id}/crbs/{crb_id}/statements", "Statements"],
  listStatements: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/statements", "Statements"],
  getStatement: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/statements/{statement_id}", "Statements"],
  getInsightSettings: ["GET", "/service-providers/{sp_id}/insight-settings", "Insights"],
  setInsightSettings: ["PUT", "/service-providers/{sp_id}/insight-settings", "Insights"],
  getReconciliationSettings: ["GET", "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-settings", "Deposits"],
  setReconciliationSettings: ["PUT", "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-settings", "Deposits"],
  createAccessReport: ["POST", "/service-providers/{sp_id}/access-reports", "Access reports"],
  listAccessReports: ["GET", "/service-providers/{sp_id}/access-reports", "Access reports"],
  getAccessReport: ["GET", "/service-providers/{sp_id}/access-reports/{report_id}", "Access reports"],
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
  `#tag/${operations[id][2].toLowerCase().replaceAll(" ", "-")}/${id}`;

/** Calls operations of the API for the person who is signed in. */
export type Client = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Output<Id>>;

/** Creates a client. @param spId the service provider of the session; empty before the sign-in */
export const clientOf =
  (call: Call, spId: string): Client =>
  (id, { path, query, body, idempotencyKey }) => {
    const [method, template] = operations[id];
    const values: Record<string, string> = { ...path, sp_id: spId };
    const filled = template.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
    const search = new URLSearchParams({ ...query } as Record<string, string>).toString();
    const headers = idempotencyKey === undefined ? undefined : { "Idempotency-Key": idempotencyKey };
    return call(method, search ? `${filled}?${search}` : filled, body as object | undefined, headers);
  };
