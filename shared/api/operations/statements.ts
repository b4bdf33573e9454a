import { defineOperation, E4, readsSales, writesAsReviewer } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { idempotencyHeaders } from "../schemas/crbCreation.ts";
import { cursorPageOf } from "../schemas/cursorPage.ts";
import { type Statement, statement, statementCreation } from "../schemas/statement.ts";
import { statementsQuery } from "../statementParameters.ts";
import { exampleIds } from "./examples.ts";

const path = "/service-providers/{sp_id}/crbs/{crb_id}/statements";

const queued: Statement = {
  id: exampleIds.statement,
  crb_id: exampleIds.crb,
  start_date: "2026-02-01",
  end_date: "2026-02-28",
  format: "html",
  compare_with: null,
  status: "queued",
  error: null,
  created_date: "2026-03-02T20:05:00.000Z",
  created_by: exampleIds.issuer,
  created_by_person: null,
  as_of: null,
  sha256: null,
  files: [],
};

const file = (name: string, bytes: number, sha256: string): Statement["files"][number] => ({
  name,
  bytes,
  sha256,
  download_link: null,
  expires_date: null,
});

const content = file("statement.json", 48_118, "9c417be203d55af8e6b012c97d3488af41ee90b72c5df0136a98be47d2c10f6e");
const page = file("statement.html", 61_402, "1f6a0d5b3c8e7f92a4d6b8c0e1f3a5d7c9b2e4f608a1c3d5e7f9b0a2c4d6e8f1");

const ready: Statement = {
  ...queued,
  status: "ready",
  as_of: "2026-03-02T20:05:03.412Z",
  sha256: content.sha256,
  files: [content, page],
};

const link = (name: string) => ({
  download_link: `https://documents.s3.us-east-1.amazonaws.com/statements/${exampleIds.crb}/${exampleIds.statement}/1/${name}?X-Amz-Expires=3600&X-Amz-Signature=5c1d`,
  expires_date: "2026-03-02T21:10:00.000Z",
});

export const createStatement = defineOperation({
  handler: "statements/createStatement",
  routes: [
    {
      operationId: "createStatement",
      method: "POST",
      path,
      ...writesAsReviewer,
      additionalScope: "point-of-sale:read",
    },
  ],
  tag: "Statements",
  summary: "Make a statement of a CRB's days",
  description:
    "Returns at once. Read the statement until `status` is `ready`, or wait for the event `statement.ready`. A statement shows the stored facts about the days: licenses, totals, each day with its digest, sale checks, deposits, insights with their decisions, and who read the data. It names the days that are not complete. It never changes and cannot be deleted; a later correction shows in a new statement, which `compare_with` compares with the former one. With an `Idempotency-Key`, a repetition within 24 hours returns the same statement in its present state. A CRB can have 200 statements, and 20 new ones a UTC day.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: statementCreation,
  requests: {
    month: { summary: "A month to print", body: { start_date: "2026-02-01", end_date: "2026-02-28", format: "html" } },
    compared: {
      summary: "The same month again, with the differences",
      body: { start_date: "2026-02-01", end_date: "2026-02-28", format: "csv", compare_with: exampleIds.statement },
    },
  },
  success: { schema: statement, description: "The statement, queued", example: queued },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB has 200 statements. Nothing is stored.",
      examples: {
        limit: {
          code: "statement_limit",
          message: "A CRB can have 200 statements. They stay until the CRB is purged.",
        },
      },
    },
    422: {
      description: "An identifier or a field is invalid. Nothing is stored.",
      examples: {
        other: { fields: { "body.compare_with": { message: "must be a ready statement of the same days" } } },
      },
    },
    429: {
      description:
        "Too many requests, or the CRB has as many new statements today as it can. Wait the number of seconds in `Retry-After`.",
      examples: {
        requests: {},
        statements: {
          code: "statement_day_limit",
          message: "A CRB has 20 new statements a UTC day at most. Try again after Retry-After.",
        },
      },
    },
  },
  permissionSets: ["statements:create", "serviceKey:read"],
});

export const listStatements = defineOperation({
  handler: "statements/listStatements",
  routes: [{ operationId: "listStatements", path, ...readsSales }],
  tag: "Statements",
  summary: "List the statements of a CRB",
  description:
    "Newest first, without links: `getStatement` signs them. A failed statement stays listed for 14 days, any other until a purge.",
  query: statementsQuery,
  requests: { page: { summary: "The newest 100 statements", query: { limit: "100" } } },
  success: {
    schema: cursorPageOf(statement),
    description: "A page of statements",
    example: { data: [ready], cursor: "UFfaVR5OdWQyMDI2LTAzLTAyVDIwOjA1OjAwLjAwMFpY5k3e", has_more: false },
  },
  errors: E4,
  permissionSets: ["statements:list"],
});

export const getStatement = defineOperation({
  handler: "statements/getStatement",
  routes: [{ operationId: "getStatement", path: `${path}/{statement_id}`, ...readsSales }],
  tag: "Statements",
  summary: "Read a statement and get links to its files",
  description: "Each request signs new links. A link needs no credential and is valid for 3600 seconds.",
  query: noQuery,
  success: {
    schema: statement,
    description: "The statement, with links once it is ready",
    example: {
      ...ready,
      files: [
        { ...content, ...link("statement.json") },
        { ...page, ...link("statement.html") },
      ],
    },
  },
  errors: E4,
  permissionSets: ["statements:read", "statements:sign"],
});
