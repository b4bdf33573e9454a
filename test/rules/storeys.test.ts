import { expect, test } from "vitest";
import { filesIn as filesOf, importsOf, isRelative, storeys } from "./imports.ts";

const imports = importsOf("shared/**/*.{ts,tsx}");
const filesIn = (file: string) => filesOf(file, imports.get(file));

const storeyOf = (file: string) => storeys.findIndex((rooms) => rooms.includes(file.split("/")[1] ?? ""));

test("every room below shared/ has a storey, and every storey its rooms", () => {
  const rooms = new Set([...imports.keys()].map((file) => file.split("/")[1]));
  expect([...rooms].sort()).toEqual(storeys.flat().sort());
});

test("no import leads upwards", () => {
  const upwards = [...imports.keys()].flatMap((file) =>
    filesIn(file)
      .filter((target) => target.startsWith("shared/") && storeyOf(target) > storeyOf(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(upwards).toEqual([]);
});

test("shared/ imports nothing of the project outside of it but data", () => {
  const outside = [...imports.keys()].flatMap((file) =>
    filesIn(file)
      .filter((target) => !target.startsWith("shared/") && !target.endsWith(".json"))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test("the description of the API imports nothing but Zod", () => {
  const others = [...imports].flatMap(([file, names]) =>
    file.startsWith("shared/api/")
      ? names.filter((name) => !isRelative(name) && name !== "zod" && name !== "zod-openapi")
      : [],
  );
  expect(others).toEqual([]);
});

test("no files import each other in a circle", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file);
    if (from >= 0) circles.push([...way.slice(from), file].join(" -> "));
    if (from >= 0 || done.has(file)) return;
    for (const target of filesIn(file)) follow(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  expect(circles).toEqual([]);
});
