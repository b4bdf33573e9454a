import { createHash } from "node:crypto";
import type { ContentFile, ContentPlace } from "./contentFile.ts";
import { type Register, readRow } from "./registerRow.ts";

/** A row of a register's file: its line, counted from 1, and its values by `columnName`; or why it cannot be read. */
export type FileRow = { line: number } & ({ values: Record<string, string> } | { unreadable: string });

/** A license as a file has it: what it is sorted and compared by. Its content stands in the `ContentFile`. */
export interface FileLicense extends ContentPlace {
  line: number;
  /** Tells whether the register's row has changed. */
  hash: string;
  /** What the register tells of them, epoch milliseconds. */
  created: number | undefined;
  updated: number | undefined;
}

/** After so many rows the progress is told. */
const rowsAtOnce = 2_000;

/**
 * Reads a register's file to its end, row by row.
 *
 * @param contents takes each license's `RegisterLicense["content"]` as JSON text
 * @param progress told how many rows are done
 * @returns the licenses by id, and the rows that are refused with the reasons
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
    else if (earlier) refused.push({ line: row.line, reason: `is the same license as line ${earlier.line}` });
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

/** A moment of `registerMoment`, which it is again by `toISOString`. */
const millisecondsOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
