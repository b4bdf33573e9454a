import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file that only its owner may read. Even if the process is killed, the file is either written completely or
 * unchanged.
 */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
