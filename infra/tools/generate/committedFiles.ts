import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../codegen/generatedFile.ts";

/** Texts of files, by path from the project's root. */
export type FileTexts = Map<string, string>;

/** How the committed files differ from the generated ones. Paths are from the project's root. */
export interface Differences {
  /** Missing files, and files with another text. */
  stale: string[];
  /** Files in a folder of generated files that nothing generates. */
  obsolete: string[];
}

/**
 * Compares generated texts with the files in version control.
 *
 * @param folder a folder that holds only generated files, if there is one
 */
export function compareFiles(texts: FileTexts, folder?: string): Differences {
  const present = folder === undefined ? [] : readdirSync(join(root, folder)).map((file) => `${folder}/${file}`);
  return {
    stale: [...texts].filter(([path, text]) => readText(path) !== text).map(([path]) => path),
    obsolete: present.filter((path) => !texts.has(path)),
  };
}

/** Writes the stale files, and removes the obsolete ones. */
export function writeFiles(texts: FileTexts, { stale, obsolete }: Differences): void {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), texts.get(path) ?? "");
  }
  for (const path of obsolete) rmSync(join(root, path));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}
