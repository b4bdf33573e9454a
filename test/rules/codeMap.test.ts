import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesIn, importsOf, storeys } from "./imports.ts";

type Arrow = readonly [from: string, to: string];

const roomOf = (file: string) => (file.split("/")[file.startsWith("shared/") ? 1 : 0] ?? "").replace(/\.ts$/, "");
const text = (arrow: Arrow) => arrow.join(" --> ");

/** Which folders import which, each pair once. */
const imported: Arrow[] = [
  ...new Map(
    [...importsOf("{shared,functions,infra}/**/*.{ts,tsx}")]
      .flatMap(([file, names]) => filesIn(file, names).map((target) => [roomOf(file), roomOf(target)] as const))
      .filter(([from, to]) => from !== to && to !== "docs")
      .map((arrow) => [text(arrow), arrow]),
  ).values(),
];

const drawing = /```mermaid\n(.*?)```/s.exec(readFileSync("docs/contributing/code-map.md", "utf8"))?.[1] ?? "";
const drawn = [...drawing.matchAll(/^ +(\w+) --> (\w+)$/gm)].map(([, from = "", to = ""]) => [from, to] as const);

function reachedFrom(room: string, arrows: readonly Arrow[], reached = new Set<string>()): Set<string> {
  for (const [from, to] of arrows) {
    if (from !== room || reached.has(to)) continue;
    reached.add(to);
    reachedFrom(to, arrows, reached);
  }
  return reached;
}

test("the code map has every folder, by storeys from the top", () => {
  const groups = [...drawing.matchAll(/^ +subgraph .*\n([\s\S]*?)^ +end$/gm)].map(([, rooms = ""]) =>
    rooms.match(/\w+/g),
  );
  const expected = storeys.map((rooms) => rooms.map((room) => room.replace(/\.ts$/, "")).toSorted());
  expect(groups.reverse()).toEqual(expected);
});

test("every arrow of the code map is an import", () => {
  expect(drawn.length).toBeGreaterThan(20);
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
