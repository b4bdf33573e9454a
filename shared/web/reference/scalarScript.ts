import { runInNewContext } from "node:vm";

/**
 * Extracts Scalar's browser script from its Fastify plugin. Its search is extended from headings to the texts below
 * them, and its forms no longer choose the first of enumerated values. The plugin installs 20 packages and contains the
 * script as a string in its only file. Scalar's own package would install 250 packages that the script already includes
 * (docs/decisions/reference-page.md).
 *
 * @param plugin text of the plugin's file
 * @throws Error if the file no longer contains the script, or the script no longer the replaced parts, in this form
 */
export function scalarScript(plugin: string): string {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (!literal) throw new Error("Scalar's plugin for Fastify has no `standalone_default`");
  // The literal is not JSON, since it contains control characters.
  return withoutFirstChoice(withSectionTexts(runInNewContext(literal)));
}

/**
 * The part of the script that lists the document's headings for the search. A heading has an empty body there. The
 * groups are the names of the variables of the document and the heading.
 */
const headingEntry =
  /function \w+\(\w+,\w+,(?<document>\w+),\w+,\w+\)\{let \w+=\w+\(\k<document>\)\?\k<document>:void 0;if\((?<heading>\w+)\.type===`operation`\).{1,3000}?type:`heading`,title:\w+\(\k<heading>\)\?[^,]+,description:[^,]+,body:(?=``)/;

/** Gives each heading the text of its section as body (documentWithGuides.ts). */
function withSectionTexts(script: string): string {
  const found = headingEntry.exec(script);
  if (!found?.groups) throw new Error("Scalar's script no longer lists headings for its search in the known form");
  const { document, heading } = found.groups;
  const end = found.index + found[0].length;
  return `${script.slice(0, end)}${document}["x-sectionTexts"]?.[${heading}.id.split("/").at(-1)]??${script.slice(end)}`;
}

/** The part of the script that takes the first of enumerated values as the example of a parameter without one. */
const firstChoice =
  /if\(`enum`in (?<schema>\w+)&&\k<schema>\.enum\?\.\[0\]!==void 0\)return\{value:\k<schema>\.enum\[0\]\};/;

/** Chooses no value of an enumeration: the form would send it as a filter. */
function withoutFirstChoice(script: string): string {
  if (!firstChoice.test(script))
    throw new Error("Scalar's script no longer fills forms with enumerated values in the known form");
  return script.replace(firstChoice, "");
}
