import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The files that the formatter reads. */
const settings = ["biome.json", ".gitignore", "package.json"];

/** Files that the project's own programs generate from source files. */
interface Generation {
  /** names for `npm run generate` */
  generators: readonly string[];
  /** files and folders that the generators read */
  needed: readonly string[];
  /** patterns of the generated files; their folders exist */
  generated: readonly string[];
}

/** The description and the sample events, generated from the operation registry. */
export const fromRegistry: Generation = {
  generators: ["openapi", "events"],
  needed: ["infra", "shared", "events", "docs/openapi.json"],
  generated: ["docs/openapi.json", "events/*.json"],
};

/**
 * Formats source files and generates the files that depend on them. Works in a copy, so that a failure leaves the project
 * unchanged.
 *
 * @param root the project's folder
 * @param sources texts by path in the project
 * @returns the files that differ from the project
 * @throws Error if the formatter or a generator fails
 */
export function completeFiles(
  root: string,
  sources: ReadonlyMap<string, string>,
  { generators, needed, generated }: Generation = { generators: [], needed: [], generated: [] },
): Map<string, string> {
  const copy = mkdtempSync(join(tmpdir(), "scaffold-"));
  try {
    for (const name of [...settings, ...needed]) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    for (const pattern of generated) mkdirSync(join(copy, dirname(pattern)), { recursive: true });
    for (const [file, text] of sources) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), text);
    }
    const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
    const formatted = [...sources.keys()].filter((file) => !file.endsWith(".md"));
    run(copy, biome, "check", "--write", "--error-on-warnings", ...formatted);
    if (generators.length > 0) run(copy, "infra/tools/generate/generate.ts", ...generators);
    const files = [...sources.keys(), ...globSync(generated, { cwd: copy }).sort()];
    const texts = new Map(files.map((file) => [file, readFileSync(join(copy, file), "utf8")]));
    return new Map([...texts].filter(([file, text]) => textOf(join(root, file)) !== text));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function run(cwd: string, ...parameters: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${parameters[0]} failed:\n${stdout}${stderr}`);
}

/** A file's text; undefined if there is no file. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
