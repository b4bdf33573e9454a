import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** What functions are made of, from the ground up: a storey uses those below it and its own, never one above. */
export const storeys: readonly (readonly string[])[] = [
  ["time", "text", "kinds.ts"],
  ["api"],
  ["aws", "privacy"],
  ["queue", "table"],
  ["access", "endpoint"],
  ["connectPage", "documents", "invitations", "licenses", "pages", "pos", "referencePage"],
  ["onboarding", "replication", "webhooks"],
];

/** Files, each with what it imports by the names that it gives; types count like everything else. */
export const importsOf = (files: string): Map<string, string[]> =>
  new Map(
    globSync(files).map((file) => {
      return [file, ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName)];
    }),
  );

/** Whether an import is of a file of this project. */
export const isRelative = (name: string) => name.startsWith(".");

/** The files of this project that a file imports. @param imports of that file */
export const filesIn = (file: string, imports: readonly string[] = []) =>
  imports.filter(isRelative).map((name) => join(dirname(file), name));
