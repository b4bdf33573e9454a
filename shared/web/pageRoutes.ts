import { connectFiles } from "./onboarding/sourceFiles.ts";
import { sourceFiles } from "./reference/sourceFiles.ts";

/** A page beside the operations, for people; it needs no credential (docs/spec.md#methods-and-pages, docs/spec.md#in-app-onboarding). */
export interface Page {
  method: "GET";
  /** Names in braces are path parameters, as in the operation registry. */
  path: `/${string}`;
  /** The handler's file below functions/, without `.ts`: a plain Lambda handler of an API Gateway event. */
  handler: string;
  /** Files of this project that the handler reads when it runs; a bundle of it holds them at the same paths. */
  files?: readonly string[];
  /** Whether what it loads talks to the store of documents, whose name DOCUMENTS_BUCKET then tells it. */
  uploads?: true;
}

const connect = { method: "GET", handler: "connect/connectPage", files: connectFiles, uploads: true } as const;

/** Every page, in the order in which they are looked through. */
export const pages: readonly Page[] = [
  { method: "GET", path: "/openapi.json", handler: "description/openApi" },
  { method: "GET", path: "/", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/docs", handler: "description/referencePage", files: sourceFiles },
  { method: "GET", path: "/docs/{file}", handler: "description/referencePage", files: sourceFiles },
  { ...connect, path: "/connect" },
  { ...connect, path: "/connect/{file}" },
];
