import { createHash } from "node:crypto";
import { type Register, readRow } from "./registerRow.ts";

/** A row of a register's file: its line, counted from 1, and its values by `columnName`; or why it cannot be read. */
export type FileRow = { line: number } & ({ values: Record<string, string> } | { unreadable: string });

/** A license as a file has it. */
export interface FileLicense {
  /** Tells whether the register's row has changed. */
  hash: string;
  /** Its `RegisterLicense["content"]` as JSON text, a fraction of what the same takes as objects. */
  content: string;
}

/** After so many rows the progress is told. */
const rowsAtOnce = 2_000;

/**
 * Reads a register's file to its end.
 *
 * @param progress told how many rows are done
 * @returns the licenses by id, and the rows that are refused with the reasons
 */
export async function readFileLicenses(
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  progress: (rows: number) => void = () => undefined,
): Promise<{ licenses: Map<string, FileLicense>; refused: { line: number; reason: string }[] }> {
  const licenses = new Map<string, FileLicense>();
  const lines = new Map<string, number>();
  const refused: { line: number; reason: string }[] = [];
  let done = 0;
  for await (const row of rows) {
    const license = "values" in row ? readRow(register, row.values) : row.unreadable;
    const earlier = typeof license === "string" ? undefined : lines.get(license.id);
    if (typeof license === "string") refused.push({ line: row.line, reason: license });
    else if (earlier) refused.push({ line: row.line, reason: `is the same license as line ${earlier}` });
    else {
      const content = JSON.stringify(license.content);
      const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
      lines.set(license.id, row.line);
      licenses.set(license.id, { hash, content });
    }
    if (++done % rowsAtOnce === 0) progress(done);
  }
  progress(done);
  refused.sort((a, b) => a.line - b.line);
  return { licenses, refused };
}
