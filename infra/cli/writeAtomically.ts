import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file that only its owner may read. If the process is killed, the file has either its complete new content or
 * its old content.
 */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
