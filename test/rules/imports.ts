import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** The folders of shared/, from the lowest layer to the highest. A layer imports only from itself and from lower layers. */
export const layers: readonly (readonly string[])[] = [
  ["cells", "insights", "money", "saleChecks", "text", "time"],
  ["api"],
  ["platform"],
  ["store"],
  ["auth", "pos"],
  ["domain", "http"],
  ["web"],
];

/** The files that a glob matches, each with the module names that it imports, types included. */
export const importsOf = (files: string): Map<string, string[]> =>
  new Map(
    globSync(files).map((file) => {
      return [file, ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName)];
    }),
  );

/** Whether a module name refers to a file of this project. */
export const isRelative = (name: string) => name.startsWith(".");

/**
 * The files of this project that a file imports.
 *
 * @param imports the module names that the file imports
 */
export const filesIn = (file: string, imports: readonly string[] = []) =>
  imports.filter(isRelative).map((name) => join(dirname(file), name));

/** Circles of a graph. Each is a path that begins and ends with the same node. */
export function circles(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (node: string, path: readonly string[]): void => {
    const from = path.indexOf(node);
    if (from >= 0) found.push([...path.slice(from), node].join(" -> "));
    if (from >= 0 || done.has(node)) return;
    for (const target of graph.get(node) ?? []) follow(target, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) follow(node, []);
  return found;
}
