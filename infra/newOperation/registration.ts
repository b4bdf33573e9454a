import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StageError } from "../local/stageError.ts";
import type { Draft, DraftRoute } from "./draft.ts";

const catalogueFile = "shared/api/catalogue.ts";
const walkFile = "test/api/walk.ts";

/** The functions of the walk that read as each caller, and what they call their client. */
const walks = {
  serviceProvider: { name: "readAsServiceProvider", client: "sp" },
  crb: { name: "readAsCrb", client: "own" },
} as const;

/**
 * The files in which an operation is registered, as they are with it: the catalogue, and the walk of the typed client
 * through all operations.
 *
 * @param root the project's folder
 * @returns texts by path in the project, not formatted
 * @throws StageError when the place to register it cannot be found
 */
export function registrations({ name, routes }: Draft, root: string): Map<string, string> {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const list = atEnd(
    catalogueFile,
    read(catalogueFile),
    "export const catalogue: readonly Operation[] = [",
    "];",
    name,
  );
  const walked = routes.reduce((text, { method, path, caller }: DraftRoute) => {
    const { name: reader, client } = walks[caller];
    const call = `answerOf(await ${client}.${method}("${path}", { params: { path } }))`;
    return atEnd(walkFile, text, `async function ${reader}(`, "}", call);
  }, read(walkFile));
  return new Map([
    [catalogueFile, `import { ${name} } from "./operations/${name}.ts";\n${list}`],
    [walkFile, walked],
  ]);
}

/** Puts a line at the end of what the one line that begins with `from` opens and the line `to` closes. */
function atEnd(file: string, text: string, from: string, to: "];" | "}", line: string): string {
  const lines = text.split("\n");
  const starts = lines.flatMap((each, index) => (each.startsWith(from) ? [index] : []));
  const end = lines.indexOf(to, starts[0]);
  if (starts.length !== 1 || end < 0) {
    throw new StageError(`${file} must hold one block from "${from}" to "${to}": restore it, or register by hand.`);
  }
  return lines.toSpliced(end, 0, `${line}${to === "];" ? "," : ";"}`).join("\n");
}
