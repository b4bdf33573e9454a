import { defineOperation, E4, readsAsProvider, writesAsProvider } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { idempotencyHeaders } from "../schemas/crbCreation.ts";
import { type Export, exportCreation, exportRecord } from "../schemas/export.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";

const path = "/service-providers/{sp_id}/crbs/{crb_id}/exports";
const reads = { ...readsAsProvider, scope: "point-of-sale:read", holdsCustomers: "always" } as const;
const writes = { ...writesAsProvider, additionalScope: "point-of-sale:read", holdsCustomers: "always" } as const;

const queued: Export = {
  id: exampleIds.export,
  crb_id: exampleIds.crb,
  kinds: ["products", "sales"],
  format: "parquet",
  status: "queued",
  error: null,
  progress: null,
  created_date: "2026-03-02T20:05:00.000Z",
  created_by: exampleIds.issuer,
  created_by_person: null,
  expires_date: "2026-03-09T20:05:00.000Z",
  files: [],
  manifest: [],
};

const file = (kind: Export["kinds"][number], bytes: number, sha256: string): Export["files"][number] => ({
  kind,
  part: 1,
  records: 2,
  bytes,
  sha256,
  download_link: null,
  expires_date: null,
});

const link = (name: string) => ({
  download_link: `https://documents.s3.us-east-1.amazonaws.com/exports/${exampleIds.crb}/${exampleIds.export}/${name}?X-Amz-Expires=600&X-Amz-Signature=9b07`,
  expires_date: "2026-03-02T20:20:00.000Z",
});

const products = file("products", 5_310, "3f0c1f8f4d5f0a3f0e7b7c7b8f5a1d2c9e6b4a3d2c1b0a9f8e7d6c5b4a392817");
const sales = file("sales", 9_842, "8a1e5c7d9b3f2e4a6c8d0b1f3a5e7c9d2b4f6a8e0c1d3b5f7a9e2c4d6b8f0a1c");

const ready: Export = {
  ...queued,
  status: "ready",
  progress: { read: 4, total: 4 },
  files: [products, sales],
  manifest: [
    {
      kind: "products",
      records: 2,
      digest: "4d1b0a6f3c5e7d9b2f4a6c8e0d1b3f5a7c9e2d4b6f8a0c1e3d5b7f9a2c4e6d8b",
      cursor: "AVK0Yw5bJ0nNn2m7aV3u8QAcwAj8kEoAB9kZ",
      data_as_of: "2026-03-02T20:00:02.118Z",
    },
    {
      kind: "sales",
      records: 2,
      digest: "e0b2d4f6a8c1e3d5b7f9a2c4e6d8b0f1a3c5e7d9b2f4a6c8e0d1b3f5a7c9e2d4",
      cursor: "AVK0Yw5bJ0nNn2m7aV3u8QAcwAj8kEoAB9kA",
      data_as_of: "2026-03-02T20:00:02.118Z",
    },
  ],
};

export const createExport = defineOperation({
  handler: "exports/createExport",
  routes: [{ operationId: "createExport", method: "POST", path, ...writes }],
  tag: "Exports",
  summary: "Export a CRB's records to files",
  description:
    "Returns at once. Read the export until `status` is `ready`, or wait for the event `export.ready`. Then load the files, and follow the changes after the `cursor` of each kind: together they miss nothing. A file holds at most 100,000 records, and no record is in two files. A record that changes while the export runs may be missing from the files; it then comes after the cursor. With an `Idempotency-Key`, a repetition within 24 hours returns the same export in its present state. A CRB has at most five exports that are `queued`, `running` or `ready`, and at most 20 new ones a UTC day, deleted ones included. One export of a service provider runs at a time, the oldest first; the others are `queued`. Service providers are served in the order in which they came.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: exportCreation,
  requests: {
    warehouse: {
      summary: "Products and sales for a warehouse",
      body: { kinds: ["products", "sales"], format: "parquet" },
    },
    everything: {
      summary: "All records as JSON lines",
      body: { kinds: ["customers", "products", "inventory", "inventory-locations", "sales"], format: "ndjson" },
    },
  },
  success: { schema: exportRecord, description: "The export, queued", example: queued },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB has five exports that are queued, running or ready.",
      examples: {
        limit: { code: "export_limit", message: "The CRB has 5 live exports, the maximum. Delete one of them." },
      },
    },
    429: {
      description:
        "Too many requests, or the CRB has as many new exports today as it can. Wait the number of seconds in `Retry-After`.",
      examples: {
        requests: {},
        exports: {
          code: "export_day_limit",
          message: "A CRB has 20 new exports a UTC day at most, deleted ones included. Try again after Retry-After.",
        },
      },
    },
  },
  permissionSets: ["exports:create", "serviceKey:read"],
});

export const listExports = defineOperation({
  handler: "exports/listExports",
  routes: [{ operationId: "listExports", path, ...reads }],
  tag: "Exports",
  summary: "List the exports of a CRB",
  description:
    "Newest first, without links: `getExport` signs them. Exports that have ended stay listed until 14 days after their creation.",
  query: pagedQuery,
  success: { schema: listOf(exportRecord), description: "A page of exports", example: exampleList(ready) },
  errors: E4,
  permissionSets: ["exports:list"],
});

export const getExport = defineOperation({
  handler: "exports/getExport",
  routes: [{ operationId: "getExport", path: `${path}/{export_id}`, ...reads }],
  tag: "Exports",
  summary: "Read an export and get links to its files",
  description:
    "Each request signs new links. A link needs no credential. It is valid for 600 seconds, but not longer than the export. If the credential of the request is revoked or expires, the export ends.",
  query: noQuery,
  success: {
    schema: exportRecord,
    description: "The export, with links once it is ready",
    example: {
      ...ready,
      files: [
        { ...products, ...link("products-1.parquet") },
        { ...sales, ...link("sales-1.parquet") },
      ],
    },
  },
  errors: E4,
  permissionSets: ["exports:read", "exports:sign"],
});

export const deleteExport = defineOperation({
  handler: "exports/deleteExport",
  routes: [{ operationId: "deleteExport", method: "DELETE", path: `${path}/{export_id}`, ...writes }],
  tag: "Exports",
  summary: "Delete an export and its files",
  description:
    "Ends an export in any state, removes its files, and with them every link. An export that has already ended is returned unchanged.",
  query: noQuery,
  success: {
    schema: exportRecord,
    description: "The ended export",
    example: { ...queued, status: "deleted", progress: { read: 4, total: 4 } },
  },
  errors: [...E4, 409],
  permissionSets: ["exports:delete"],
});
