import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesIn, importsOf, layers } from "./imports.ts";

type Arrow = readonly [from: string, to: string];

const folderOf = (file: string) => file.split("/")[file.startsWith("shared/") ? 1 : 0] ?? "";
const text = (arrow: Arrow) => arrow.join(" --> ");

/** The pairs of folders in which the first imports the second, each once. */
const imported: Arrow[] = [
  ...new Map(
    [...importsOf("{shared,functions,infra}/**/*.{ts,tsx}")]
      .flatMap(([file, names]) => filesIn(file, names).map((target) => [folderOf(file), folderOf(target)] as const))
      .filter(([from, to]) => from !== to && to !== "docs")
      .map((arrow) => [text(arrow), arrow]),
  ).values(),
];

const drawing = /```mermaid\n(.*?)```/s.exec(readFileSync("docs/contributing/code-map.md", "utf8"))?.[1] ?? "";
const drawn = [...drawing.matchAll(/^ +(\w+) --> (\w+)$/gm)].map(([, from = "", to = ""]) => [from, to] as const);

function reachedFrom(folder: string, arrows: readonly Arrow[], reached = new Set<string>()): Set<string> {
  for (const [from, to] of arrows) {
    if (from !== folder || reached.has(to)) continue;
    reached.add(to);
    reachedFrom(to, arrows, reached);
  }
  return reached;
}

test("the code map has every folder, grouped by layers from the top", () => {
  const groups = [...drawing.matchAll(/^ +subgraph .*\n([\s\S]*?)^ +end$/gm)].map(([, folders = ""]) =>
    folders.match(/\w+/g),
  );
  expect(groups.reverse()).toEqual(layers);
});

test("every arrow of the code map is an import", () => {
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.map(text).filter((arrow) => !imported.map(text).includes(arrow))).toEqual([]);
});

test("every import between folders follows from the arrows of the code map", () => {
  expect(imported.filter(([from, to]) => !reachedFrom(from, drawn).has(to)).map(text)).toEqual([]);
});

test("no arrow of the code map follows from the others", () => {
  const superfluous = drawn.filter((arrow) => {
    const others = drawn.filter((other) => other !== arrow);
    return reachedFrom(arrow[0], others).has(arrow[1]);
  });
  expect(superfluous.map(text)).toEqual([]);
});
