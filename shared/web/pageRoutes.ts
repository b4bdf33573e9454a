import type { PermissionSet } from "../api/operation.ts";
import { consoleFiles } from "./console/sourceFiles.ts";
import { connectFiles } from "./onboarding/sourceFiles.ts";
import { sourceFiles, sources } from "./reference/sourceFiles.ts";
import { statusFiles } from "./status/statusFiles.ts";

/**
 * A route that serves a page for people, in addition to the operations of the API. It needs no credential
 * (docs/spec.md#methods-and-pages, docs/spec.md#in-app-onboarding).
 */
export interface Page {
  method: "GET";
  /** Names in braces are path parameters, as in the operation registry. */
  path: `/${string}`;
  /** The handler's file below functions/, without `.ts`: a plain Lambda handler of an API Gateway event. */
  handler: string;
  /** Project files that the handler reads at run time. Its bundle includes them at the same paths. */
  files?: readonly string[];
  /** What the handler may read, on stages that have a table. */
  permissionSets?: readonly PermissionSet[];
  /** Whether the page uploads to S3; then DOCUMENTS_BUCKET has the name of the bucket. */
  uploads?: true;
}

const status = {
  method: "GET",
  handler: "description/statusPage",
  files: statusFiles,
  permissionSets: ["freshness:read"],
} as const;
const connect = { method: "GET", handler: "connect/connectPage", files: connectFiles, uploads: true } as const;

const console = {
  method: "GET",
  handler: "console/consolePage",
  files: consoleFiles,
  permissionSets: ["signInSettings:read"],
  uploads: true,
} as const;

/** All pages, in the order of matching. */
export const pages: readonly Page[] = [
  { method: "GET", path: "/openapi.json", handler: "description/openApi", files: [sources.description] },
  { method: "GET", path: "/", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/llms.txt", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/postman.json", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/docs", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/docs/{file}", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/.well-known/security.txt", handler: "description/securityText" },
  { ...status, path: "/status" },
  { ...status, path: "/status.json" },
  { ...connect, path: "/connect" },
  { ...connect, path: "/connect/{file}" },
  { ...console, path: "/console" },
  { ...console, path: "/console/{file}" },
];
