import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf } from "./completeFiles.ts";

/** The signals that end a program from its terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Writes all files or none. Signals that can be caught take no effect meanwhile.
 *
 * @param root folder of the paths
 * @throws the cause of a failure, after it has restored the written files as far as possible
 */
export function writeTogether(root: string, texts: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = [];
  // A handler, even an empty one, keeps the signal from ending the process.
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
        // If one file cannot be restored, the others still are. The caller gets the first error.
      }
    }
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, holdOff);
  }
}
