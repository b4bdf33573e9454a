import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { documentWithGuides } from "./documentWithGuides.ts";
import { scalarScript } from "./scalarScript.ts";
import { sources } from "./sourceFiles.ts";

/** A file that the page loads. */
interface Asset {
  contentType: string;
  body: string;
}

/** The page's HTML, `{nonce}` where a nonce of the content security policy goes, and its assets by their names. */
export interface PageFiles {
  html: string;
  assets: ReadonlyMap<string, Asset>;
}

const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** On AWS the files lie beside the bundle, at the same paths as in this project. */
const root = process.env.LAMBDA_TASK_ROOT ?? join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/**
 * Reads what the page is made of. An asset's name has a digest of its content, so that it can be kept for good by
 * whoever has it. Links are relative to the page, since a stage on AWS may lie below a path.
 */
export function readPageFiles(): PageFiles {
  const contents: [string, string][] = sources.assets.map((path) => [basename(path), read(path)]);
  const guides = new Map(sources.guides.map((path) => [basename(path), read(path)]));
  const reference = documentWithGuides(JSON.parse(read(sources.description)), guides);
  contents.push(["reference.json", JSON.stringify(reference)], ["scalar.js", scalarScript(read(sources.scalar))]);

  const assets = new Map<string, Asset>();
  let html = read(sources.page);
  for (const [name, body] of contents) {
    const hashed = hashedName(name, body);
    assets.set(hashed, { contentType: contentTypes[extname(name)] ?? "application/octet-stream", body });
    html = html.replaceAll(`{${name}}`, `docs/${hashed}`);
  }
  return { html, assets };
}

/** Such as `page-4f1c09ab37d2.js`. */
function hashedName(name: string, body: string): string {
  const extension = extname(name);
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return `${basename(name, extension)}-${digest}${extension}`;
}
