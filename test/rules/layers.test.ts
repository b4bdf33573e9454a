import { expect, test } from "vitest";
import { circles, filesIn, importsOf, isRelative, layers } from "./imports.ts";

const imports = importsOf("{shared,infra,functions}/**/*.{ts,tsx}");
const targetsOf = new Map([...imports].map(([file, names]) => [file, filesIn(file, names)]));
const inShared = [...targetsOf].filter(([file]) => file.startsWith("shared/"));

const folderOf = (file: string) => file.split("/")[1] ?? "";
const layerOf = (file: string) => layers.findIndex((folders) => folders.includes(folderOf(file)));

test("every folder of shared/ belongs to a layer", () => {
  const folders = new Set(inShared.map(([file]) => folderOf(file)));
  expect([...folders].sort()).toEqual(layers.flat().sort());
});

test("no import points to a higher layer", () => {
  const upward = inShared.flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith("shared/") && layerOf(target) > layerOf(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(upward).toEqual([]);
});

/** The types of the API, which the scripts of pages use as any client does. */
const apiTypes = "clients/typescript/openApi.ts";

test("shared/ imports nothing outside it except data, and the types of the API in scripts of pages", () => {
  const outside = inShared.flatMap(([file, targets]) =>
    targets
      .filter((target) => !target.startsWith("shared/") && !target.endsWith(".json"))
      .filter((target) => target !== apiTypes || !/^shared\/web\/\w+\/app\//.test(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test("the API description imports no package but Zod", () => {
  const others = [...imports].flatMap(([file, names]) =>
    file.startsWith("shared/api/")
      ? names.filter((name) => !isRelative(name) && name !== "zod" && name !== "zod-openapi")
      : [],
  );
  expect(others).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(circles(targetsOf)).toEqual([]);
});

test("no sibling folders import each other in a circle", () => {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of targetsOf) {
    for (const target of targets) {
      const [from, to] = siblings(file, target);
      if (!from || !to) continue;
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  expect(graph.size).toBeGreaterThan(30);
  expect(circles(graph)).toEqual([]);
});

/**
 * The two sibling folders through which an import leads: `shared/domain/crbs` and `shared/domain/onboarding` for files at
 * any depth in them. None where one file is directly in the folder that both have in common.
 */
function siblings(file: string, target: string): [from?: string, to?: string] {
  const [from, to] = [file.split("/").slice(0, -1), target.split("/").slice(0, -1)];
  const depth = from.findIndex((name, index) => name !== to[index]);
  if (depth < 0 || depth >= to.length) return [];
  return [from.slice(0, depth + 1).join("/"), to.slice(0, depth + 1).join("/")];
}
