import { basename } from "node:path";
import { readProjectFile } from "../../platform/readProjectFile.ts";
import { type PageFiles, withAssets } from "../pages/assets.ts";
import { documentWithGuides } from "./documentWithGuides.ts";
import { withFormParameters } from "./formParameters.ts";
import { scalarScript } from "./scalarScript.ts";
import { sources } from "./sourceFiles.ts";

/**
 * Reads the page's files. In the HTML, `{nonce}` is replaced by the nonce of the content security policy, and `{demo}`
 * by the demo's ids and credentials.
 */
export function readPageFiles(): PageFiles {
  const guides = readGuides();
  const description = withFormParameters(JSON.parse(readProjectFile(sources.description)));
  const reference = documentWithGuides(description, guides);
  return withAssets(readProjectFile(sources.page), "docs", [
    ...sources.assets.map((path) => [basename(path), readProjectFile(path)] as const),
    ["reference.json", JSON.stringify(reference)],
    ["scalar.js", scalarScript(readProjectFile(sources.scalar))],
  ]);
}

/** The texts of the guides by file name, in reading order. */
export const readGuides = (): Map<string, string> =>
  new Map(sources.guides.map((path) => [basename(path), readProjectFile(path)]));
