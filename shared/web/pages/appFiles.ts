import { basename } from "node:path";
import { readProjectFile } from "../../platform/readProjectFile.ts";
import { escapeHtml } from "../../text/escapeHtml.ts";
import { type PageFiles, withAssets } from "./assets.ts";

/** The files of a page that consists of a script, by paths in this project. */
export interface AppSources {
  page: string;
  assets: readonly string[];
}

/**
 * Reads the files of a page, with the stage's settings as text.
 *
 * @param below the address of the assets' folder, relative to the page
 */
export function readAppFiles({ page, assets }: AppSources, below: string): PageFiles {
  const { OPERATOR_NAME = "", PRIVACY_URL = "", SUPPORT_EMAIL = "" } = process.env;
  const settings = { operatorName: OPERATOR_NAME, privacyUrl: PRIVACY_URL, supportEmail: SUPPORT_EMAIL };
  const html = Object.entries(settings).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => escapeHtml(value)),
    readProjectFile(page),
  );
  return withAssets(
    html,
    below,
    assets.map((path) => [basename(path), readProjectFile(path)]),
  );
}
