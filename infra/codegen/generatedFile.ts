import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

interface Content {
  text: string;
  /** The files that the text depends on, from the project's root. */
  inputs: readonly string[];
}

/** SHA-256 of the inputs and of the generated file, by path from the project's root. */
type Digests = Readonly<Record<string, string>>;

/**
 * Generates a file that is not in version control, unless it and its inputs are unchanged since the last generation.
 * The digests of the inputs and of the file are in node_modules/.cache.
 *
 * @param file from the project's root
 */
export async function generateFile(file: string, generate: () => Promise<Content>): Promise<void> {
  const cache = join(root, "node_modules", ".cache", "generated", `${basename(file)}.json`);
  if (isCurrent(cache)) return;
  const { text, inputs } = await generate();
  replaceFile(join(root, file), text);
  replaceFile(cache, JSON.stringify(digestsOf([file, ...inputs])));
}

function isCurrent(cache: string): boolean {
  try {
    const before: Digests = JSON.parse(readFileSync(cache, "utf8"));
    const now = digestsOf(Object.keys(before));
    return Object.entries(before).every(([file, digest]) => now[file] === digest);
  } catch {
    // No cache yet, or a file is missing.
    return false;
  }
}

const digestsOf = (files: readonly string[]): Digests =>
  Object.fromEntries(
    files.map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(root, file)))
        .digest("hex"),
    ]),
  );

/** Several processes may generate a file at once: each writes its own draft. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
