import { renameSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner may read. It is written completely or not at all, even if the process is killed. */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
