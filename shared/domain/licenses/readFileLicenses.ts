import { createHash } from "node:crypto";
import type { ContentFile, ContentPlace } from "./contentFile.ts";
import { type Register, readRow } from "./registerRow.ts";

/**
 * A row of a register's file: its line, counted from 1, and its values by `columnName`, or the reason why it cannot be
 * read.
 */
export type FileRow = { line: number } & ({ values: Record<string, string> } | { unreadable: string });

/** The values of a file's license by which an import sorts and compares it. Its content is in the `ContentFile`. */
export interface FileLicense extends ContentPlace {
  line: number;
  /** A digest of the register's row, to detect changes of the row. */
  hash: string;
  /** Epoch milliseconds; undefined if the register has no such date. */
  created: number | undefined;
  updated: number | undefined;
}

/** The number of rows between two progress reports. */
const rowsAtOnce = 2_000;

/**
 * Reads a register's file to its end, row by row.
 *
 * @param contents receives each license's `RegisterLicense["content"]` as JSON text
 * @param progress called with the number of rows read
 * @returns the licenses by id, and the rejected rows with their reasons
 */
export async function readFileLicenses(
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  contents: ContentFile,
  progress: (rows: number) => void = () => undefined,
): Promise<{ licenses: Map<string, FileLicense>; refused: { line: number; reason: string }[] }> {
  const licenses = new Map<string, FileLicense>();
  const refused: { line: number; reason: string }[] = [];
  let done = 0;
  for await (const row of rows) {
    const license = "values" in row ? readRow(register, row.values) : row.unreadable;
    const earlier = typeof license === "string" ? undefined : licenses.get(license.id);
    if (typeof license === "string") refused.push({ line: row.line, reason: license });
    else if (earlier)
      refused.push({ line: row.line, reason: `has the same license as line ${earlier.line}; remove one of the two` });
    else {
      const { created_at, updated_at } = license.content;
      const content = JSON.stringify(license.content);
      const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
      const dates = { created: millisecondsOf(created_at), updated: millisecondsOf(updated_at) };
      licenses.set(license.id, { line: row.line, hash, ...dates, ...contents.add(content) });
    }
    if (++done % rowsAtOnce === 0) progress(done);
  }
  progress(done);
  refused.sort((a, b) => a.line - b.line);
  return { licenses, refused };
}

/** Parses an instant that `parseRegisterInstant` returned. `toISOString` converts the result back to the same text. */
const millisecondsOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
