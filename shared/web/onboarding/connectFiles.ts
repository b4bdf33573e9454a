import { basename } from "node:path";
import { escapeHtml } from "../../text/escapeHtml.ts";
import { type PageFiles, readSource, withAssets } from "../pages/assets.ts";
import { connectSources } from "./sourceFiles.ts";

/**
 * Reads the page's files.
 *
 * @param supportEmail contact for the page's visitors
 */
export function readConnectFiles(supportEmail: string): PageFiles {
  const html = readSource(connectSources.page).replaceAll("{supportEmail}", escapeHtml(supportEmail));
  return withAssets(
    html,
    "connect",
    connectSources.assets.map((path) => [basename(path), readSource(path)]),
  );
}
