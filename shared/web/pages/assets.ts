import { createHash } from "node:crypto";
import { basename, extname } from "node:path";

/** A file that a page loads. */
interface Asset {
  contentType: string;
  body: string;
}

/** A page's HTML, and its assets by name. */
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

/**
 * Adds a digest of each asset's content to the asset's name, so that browsers can cache the asset forever. Links are
 * relative to the page, because on AWS the path of a page may begin with the name of the stage.
 *
 * @param html with `{name}` in the place of each asset's address
 * @param below last part of the page's path, which precedes the assets' names
 * @param contents the assets by name
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

/** For example `page-4f1c09ab37d2.js`. */
function hashedName(name: string, body: string): string {
  const extension = extname(name);
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return `${basename(name, extension)}-${digest}${extension}`;
}
