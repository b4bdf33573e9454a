import { basename } from "node:path";
import { readProjectFile } from "../../platform/readProjectFile.ts";
import { escapeHtml } from "../../text/escapeHtml.ts";
import { type PageFiles, withAssets } from "../pages/assets.ts";
import { connectSources } from "./sourceFiles.ts";

/** The stage's settings that the page shows. */
interface PageSettings {
  operatorName: string;
  privacyUrl: string;
  /** Contact for the page's visitors. */
  supportEmail: string;
}

/** Reads the page's files, with the settings as text. */
export function readConnectFiles(settings: PageSettings): PageFiles {
  const html = Object.entries(settings).reduce(
    (page, [name, value]) => page.replaceAll(`{${name}}`, () => escapeHtml(value)),
    readProjectFile(connectSources.page),
  );
  return withAssets(
    html,
    "connect",
    connectSources.assets.map((path) => [basename(path), readProjectFile(path)]),
  );
}
