import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf } from "./completeFiles.ts";

/** By which a program is ended from its terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Writes several files, all or none of them: who ends the program meanwhile, by a signal that can be held off, comes too
 * late.
 *
 * @param root the folder that their paths begin in
 * @throws what made it fail, after what had been written is as it was, as far as that can be
 */
export function writeTogether(root: string, texts: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = [];
  // Enough not to end by it.
  const holdOff = () => undefined;
  for (const signal of signals) process.on(signal, holdOff);
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
    for (const step of undo.reverse()) {
      try {
        step();
      } catch {
        // What else was written is undone all the same, and the first failure tells why.
      }
    }
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, holdOff);
  }
}
