import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf } from "./completeFiles.ts";

/**
 * Writes several files, all or none of them.
 *
 * @param root the folder that their paths begin in
 * @throws what made it fail, after what had been written is as it was
 */
export function writeTogether(root: string, texts: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = [];
  try {
    for (const [name, text] of texts) {
      const file = join(root, name);
      const before = textOf(file);
      const made = mkdirSync(dirname(file), { recursive: true });
      if (made) undo.push(() => rmSync(made, { recursive: true }));
      undo.push(() => (before === undefined ? rmSync(file, { force: true }) : writeFileSync(file, before)));
      writeFileSync(file, text);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}
