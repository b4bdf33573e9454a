import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** A file that a page loads. */
interface Asset {
  contentType: string;
  body: string;
}

/** A page's HTML, and its assets by their names. */
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
const root = process.env.LAMBDA_TASK_ROOT ?? join(import.meta.dirname, "../../..");

/** The text of a file of this project that a page is made of. @param path from the project's root */
export const readSource = (path: string): string => readFileSync(join(root, path), "utf8");

/**
 * Gives each asset a name with a digest of its content, so that it can be kept for good by whoever has it. Links are
 * relative to the page, since a stage on AWS may lie below a path.
 *
 * @param html with `{name}` where the address of an asset goes
 * @param below last part of the page's path, below which the assets are
 * @param contents the assets by their names
 */
export function withAssets(html: string, below: string, contents: readonly (readonly [string, string])[]): PageFiles {
  const assets = new Map<string, Asset>();
  let linked = html;
  for (const [name, body] of contents) {
    const hashed = hashedName(name, body);
    assets.set(hashed, { contentType: contentTypes[extname(name)] ?? "application/octet-stream", body });
    linked = linked.replaceAll(`{${name}}`, `${below}/${hashed}`);
  }
  return { html: linked, assets };
}

/** Such as `page-4f1c09ab37d2.js`. */
function hashedName(name: string, body: string): string {
  const extension = extname(name);
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return `${basename(name, extension)}-${digest}${extension}`;
}
