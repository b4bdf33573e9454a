import { readFileSync } from "node:fs";

/** An item of docs/storage.md, and patterns of its keys. */
interface DocumentedItem {
  item: string;
  pk: RegExp;
  sk: RegExp;
}

/**
 * The items of a CRB in the table of docs/storage.md: those with the CRB in a key, and those found through its records.
 */
export function documentedItems(crbId: string): DocumentedItem[] {
  const [, text = ""] = readFileSync("docs/storage.md", "utf8").split("\n## Items\n");
  const [table = ""] = text.split("\n## ");
  let above: string[] = [];
  return table.split("\n").flatMap((line) => {
    const [, item = "", pkCell = "", skCell = ""] = line.split("|").map((cell) => cell.trim());
    const pks = [...pkCell.matchAll(/`([^`]+)`/g)].map(([, pattern = ""]) => pattern);
    if (pks.length > 0 || pkCell === "as above") above = pks.length > 0 ? pks : above;
    else return [];
    const [, sk = ""] = /`([^`]+)`/.exec(skCell) ?? [];
    return above
      .filter((pk) => /<(crb|list|client id|digest[^>]*)>/.test(pk + sk))
      .map((pk) => ({ item, pk: patternOf(pk, crbId), sk: patternOf(sk || "<id>", crbId) }));
  });
}

/** Converts a pattern of docs/storage.md to a regular expression. */
function patternOf(text: string, crbId: string): RegExp {
  const parts = text.split(/(<[^>]+>)/).map((part) => {
    if (part === "<crb>") return crbId;
    if (part === "<list>") return `CRB#${crbId}#\\w+`;
    return part.startsWith("<") ? ".+" : part;
  });
  return new RegExp(`^${parts.join("")}$`);
}
