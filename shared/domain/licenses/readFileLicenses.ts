import { createHash } from "node:crypto";
import { combineRows } from "./combineRows.ts";
import type { ContentFile, ContentPlace } from "./contentFile.ts";
import { publicLicenseId } from "./licenseId.ts";
import type { RegisterLicense } from "./registerLicense.ts";
import { idInRow, partOfLicense, type Register, readRow } from "./registerRow.ts";

/** A row of a register's file: its line, counted from 1, and its values by field, or why it cannot be read. */
export type FileRow = { line: number } & ({ values: Record<string, string> } | { unreadable: string });

/** The values of a file's license by which an import sorts and compares it. Its content is in the `ContentFile`. */
export interface FileLicense extends ContentPlace {
  line: number;
  /** A digest of the register's row, to detect changes of the row. */
  hash: string;
  /** Epoch milliseconds; undefined if the register has no such date. */
  created: number | undefined;
  updated: number | undefined;
  part: string | undefined;
}

/** The licenses of a register's file. */
export interface FileLicenses {
  /** By id. */
  licenses: Map<string, FileLicense>;
  /** The rejected rows with their reasons. */
  refused: { line: number; reason: string }[];
  /** The ids of licenses whose rows are rejected. The register has them, so they are not missing. */
  rejectedIds: Set<string>;
  /** The parts of the register that the file has. */
  parts: Set<string | undefined>;
  /** Rows whose license an earlier row has, too, with other values. */
  notes: { line: number; reason: string }[];
  unknownStatuses: UnknownStatus[];
  /** Whether a rejected row names no license. Any stored license may then be the one of this row. */
  hasUnidentifiedRows: boolean;
}

/** A reported status that has the uniform status "Unknown", and the number of imported rows with it. */
export interface UnknownStatus {
  status: string;
  rows: number;
}

/** Maximum of unknown statuses that are counted, so that a file with a wrong column does not fill the memory. */
const maxUnknownStatuses = 1_000;

/** The number of rows between two progress reports. */
const rowsAtOnce = 2_000;

/**
 * Reads a register's file to its end, row by row.
 *
 * @param contents receives each license's `RegisterLicense["content"]` as JSON text
 * @param progress called with the number of rows read
 */
export async function readFileLicenses(
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  contents: ContentFile,
  progress: (rows: number) => void = () => undefined,
): Promise<FileLicenses> {
  const licenses = new Map<string, FileLicense>();
  /** The different rows of each license that has several. */
  const repeated = new Map<string, FileLicense[]>();
  const refused: { line: number; reason: string }[] = [];
  /** The line of a rejected row by the id of its license. */
  const rejected = new Map<string, number>();
  const parts = new Set<string | undefined>();
  const notes: { line: number; reason: string }[] = [];
  const unknown = new Map<string, UnknownStatus>();
  let hasUnidentifiedRows = false;
  let done = 0;
  for await (const row of rows) {
    const license = "values" in row ? readRow(register, row.values) : row.unreadable;
    if (typeof license === "string") {
      const id = "values" in row ? idInRow(register, row.values) : undefined;
      if (id === undefined) hasUnidentifiedRows = true;
      else rejected.set(id, row.line);
      refused.push({ line: row.line, reason: license });
    } else {
      const { id, content } = license;
      if (content.uniform_license_status_description === "Unknown") {
        countStatus(unknown, content.reported_license_status);
      }
      const read = toFileLicense(register, license, row.line, contents);
      parts.add(read.part);
      const first = licenses.get(id);
      const known = repeated.get(id) ?? (first ? [first] : []);
      const same = known.find(({ hash }) => hash === read.hash);
      if (same === undefined) {
        if (first) repeated.set(id, [...known, read]);
        else licenses.set(id, read);
      } else if (!register.layout) refused.push(repetition(row.line, same.line));
    }
    if (++done % rowsAtOnce === 0) progress(done);
  }
  progress(done);
  for (const [id, line] of rejected) {
    const license = licenses.get(id);
    if (!license) continue;
    const reason = `has the same license as line ${line}, which is rejected`;
    for (const row of repeated.get(id) ?? [license]) refused.push({ line: row.line, reason });
    licenses.delete(id);
    repeated.delete(id);
  }
  for (const [id, [first, ...others]] of repeated as Map<string, [FileLicense, ...FileLicense[]]>) {
    if (register.layout) {
      const { license, reason } = combine(register, id, [first, ...others], contents);
      licenses.set(id, license);
      for (const { line } of others) notes.push({ line, reason });
    } else {
      for (const { line } of others) refused.push(repetition(line, first.line));
      refused.push(repetition(first.line, others[0]?.line ?? first.line));
      licenses.delete(id);
      rejected.set(id, first.line);
    }
  }
  const rejectedIds = new Set(rejected.keys());
  for (const found of [refused, notes]) found.sort((a, b) => a.line - b.line);
  const unknownStatuses = [...unknown.values()].sort((one, other) => other.rows - one.rows);
  return { licenses, refused, rejectedIds, parts, notes, unknownStatuses, hasUnidentifiedRows };
}

const repetition = (line: number, other: number) => ({
  line,
  reason: `has the same license as line ${other}; keep one of the two`,
});

function toFileLicense(
  register: Register,
  { id, content }: RegisterLicense,
  line: number,
  contents: ContentFile,
): FileLicense {
  const text = JSON.stringify(content);
  const hash = createHash("sha256").update(publicLicenseId(register.state, id)).update(text).digest("base64url");
  const dates = { created: millisecondsOf(content.created_at), updated: millisecondsOf(content.updated_at) };
  return { line, hash: hash.slice(0, 22), ...dates, part: partOfLicense(register, content), ...contents.add(text) };
}

/** The license of several different rows, and how it came about. */
function combine(
  register: Register,
  id: string,
  rows: readonly [FileLicense, ...FileLicense[]],
  contents: ContentFile,
) {
  const [first] = rows;
  const { content, index } = combineRows(rows.map((row) => JSON.parse(contents.read(row))));
  const used = index === undefined ? undefined : rows[index];
  const result = used
    ? `; line ${used.line} is used, because no row ends later`
    : " with another status, and neither is certainly older; the status is Unknown";
  return {
    license: used ?? toFileLicense(register, { id, content }, first.line, contents),
    reason: `has the license of line ${first.line}${result}`,
  };
}

/** Counts a status without regard to letter case. */
function countStatus(counts: Map<string, UnknownStatus>, status: string): void {
  const key = status.toLowerCase();
  const counted = counts.get(key);
  if (counted) counted.rows++;
  else if (counts.size < maxUnknownStatuses) counts.set(key, { status, rows: 1 });
}

/** Parses an instant that `parseRegisterInstant` returned. `toISOString` converts the result back to the same text. */
const millisecondsOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
