import { readFileSync } from "node:fs";

/** An item that docs/storage.md tells of, and patterns of its keys. */
interface Documented {
  item: string;
  pk: RegExp;
  sk: RegExp;
}

/** The items of a CRB, by the table in docs/storage.md: all of which a key names it, and what is found by its records. */
export function documentedItems(crbId: string): Documented[] {
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

/** A pattern of storage.md as a regular expression. */
function patternOf(text: string, crbId: string): RegExp {
  const parts = text.split(/(<[^>]+>)/).map((part) => {
    if (part === "<crb>") return crbId;
    if (part === "<list>") return `CRB#${crbId}#\\w+`;
    return part.startsWith("<") ? ".+" : part;
  });
  return new RegExp(`^${parts.join("")}$`);
}
