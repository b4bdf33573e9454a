import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";
import { expect, test } from "vitest";

/** What functions are made of, from the ground up: a storey uses those below it and its own, never one above. */
const storeys: readonly (readonly string[])[] = [
  ["time", "text", "kinds.ts"],
  ["api"],
  ["aws", "privacy"],
  ["queue", "table"],
  ["access", "endpoint"],
  ["connectPage", "documents", "invitations", "licenses", "pages", "pos", "referencePage"],
  ["onboarding", "replication", "webhooks"],
];

/** The files below shared/, each with what it imports; types count like everything else. */
const imports = new Map(
  globSync("shared/**/*.{ts,tsx}").map((file) => {
    return [file, ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName)];
  }),
);

const isRelative = (name: string) => name.startsWith(".");

/** The files of this project that a file imports. */
const filesIn = (file: string) => (imports.get(file) ?? []).filter(isRelative).map((name) => join(dirname(file), name));

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
