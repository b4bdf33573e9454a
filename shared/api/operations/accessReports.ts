import { defineOperation, E3, E4, readsAsAdministrator, writesAsProvider } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { type AccessReport, accessReport, accessReportCreation } from "../schemas/accessReport.ts";
import { cursorPageOf } from "../schemas/cursorPage.ts";
import { statementsQuery } from "../statementParameters.ts";
import { exampleIds } from "./examples.ts";

const path = "/service-providers/{sp_id}/access-reports";

const queued: AccessReport = {
  id: exampleIds.accessReport,
  crb_id: exampleIds.crb,
  record_id: null,
  from: "2026-02-01T00:00:00.000Z",
  to: "2026-02-28T00:00:00.000Z",
  status: "queued",
  error: null,
  created_date: "2026-03-02T20:05:00.000Z",
  created_by: exampleIds.issuer,
  created_by_person: null,
  expires_date: "2026-03-09T20:05:00.000Z",
  requests: null,
  unreadable: null,
  file: null,
};

const file = {
  bytes: 48_118,
  sha256: "9c417be203d55af8e6b012c97d3488af41ee90b72c5df0136a98be47d2c10f6e",
  download_link: null,
  expires_date: null,
};

const ready: AccessReport = { ...queued, status: "ready", requests: 1_284, unreadable: 0, file };

export const createAccessReport = defineOperation({
  handler: "accessReports/createAccessReport",
  routes: [{ operationId: "createAccessReport", method: "POST", path, ...writesAsProvider }],
  tag: "Access reports",
  summary: "Make a report of who read what",
  description:
    "Returns at once. Read the report until `status` is `ready`. Its file has one line of JSON for each permitted request of your credentials, your persons, the credentials of your CRBs and their invited users, oldest first: `time`, `request_id`, `operation_id`, `client_id`, `sub` of the person, `owner`, `crb_id`, `crb_ids`, `record_id`, `kinds`, `records`, `status` and `source`; `ends_with`, if other credentials added the key of its token. `principal` names the actor (`kind`, `id`, `name`), and `crb_name` the CRB. The log has no names, because they could not be erased there. So the report adds the names of its time; a name is null if none is known, and for invited users. A line arrives within ten minutes of its request. The file is removed after seven days. A service provider can have 20 new reports a UTC day.",
  query: noQuery,
  body: accessReportCreation,
  requests: {
    business: {
      summary: "Who read a CRB in February",
      body: { crb_id: exampleIds.crb, from: "2026-02-01T00:00:00Z", to: "2026-02-28T00:00:00Z" },
    },
  },
  success: { schema: accessReport, description: "The report, queued", example: queued },
  errors: [...E3, 409],
  rejections: {
    429: {
      description:
        "Too many requests, or the service provider has as many new reports today as it can. Wait the number of seconds in `Retry-After`.",
      examples: {
        requests: {},
        reports: {
          code: "report_day_limit",
          message: "A service provider has 20 new access reports a UTC day at most. Try again after Retry-After.",
        },
      },
    },
  },
  businessField: "crb_id",
  permissionSets: ["accessReports:create"],
});

export const listAccessReports = defineOperation({
  handler: "accessReports/listAccessReports",
  // Who read what shows the conduct of staff, so that only administrators request and read reports.
  routes: [{ operationId: "listAccessReports", path, ...readsAsAdministrator }],
  tag: "Access reports",
  summary: "List the access reports",
  description: "Newest first, without links: `getAccessReport` signs them. A report stays listed for 14 days.",
  query: statementsQuery,
  requests: { page: { summary: "The newest 100 reports", query: { limit: "100" } } },
  success: {
    schema: cursorPageOf(accessReport),
    description: "A page of reports",
    example: { data: [ready], cursor: "UFfaVR5OdWQyMDI2LTAzLTAyVDIwOjA1OjAwLjAwMFpY5k3e", has_more: false },
  },
  errors: E3,
  businessField: "crb_id",
  permissionSets: ["accessReports:list"],
});

export const getAccessReport = defineOperation({
  handler: "accessReports/getAccessReport",
  routes: [{ operationId: "getAccessReport", path: `${path}/{report_id}`, ...readsAsAdministrator }],
  tag: "Access reports",
  summary: "Read an access report and get the link to its file",
  description: "Each request signs a new link. A link needs no credential and is valid for 600 seconds.",
  query: noQuery,
  success: {
    schema: accessReport,
    description: "The report, with a link once it is ready",
    example: {
      ...ready,
      file: {
        ...file,
        download_link: `https://documents.s3.us-east-1.amazonaws.com/exports/${exampleIds.serviceProvider}/${exampleIds.accessReport}/accesses.ndjson.gz?X-Amz-Expires=600&X-Amz-Signature=5c1d`,
        expires_date: "2026-03-02T20:20:00.000Z",
      },
    },
  },
  errors: E4,
  businessField: "crb_id",
  permissionSets: ["accessReports:read", "accessReports:sign"],
});
