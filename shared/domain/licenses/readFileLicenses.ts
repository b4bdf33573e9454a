import { createHash } from "node:crypto";
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
  /** Of two rows with the same license, the row with the greater text is used. */
  preference: string;
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
  /** Rows whose license another row has, too. */
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
  const refused: { line: number; reason: string }[] = [];
  const rejectedIds = new Set<string>();
  const parts = new Set<string | undefined>();
  const notes: { line: number; reason: string }[] = [];
  const unknown = new Map<string, UnknownStatus>();
  let hasUnidentifiedRows = false;
  let done = 0;
  for await (const row of rows) {
    const license = "values" in row ? readRow(register, row.values) : row.unreadable;
    const earlier = typeof license === "string" ? undefined : licenses.get(license.id);
    if (typeof license === "string") {
      const id = "values" in row ? idInRow(register, row.values) : undefined;
      if (id === undefined) hasUnidentifiedRows = true;
      else rejectedIds.add(id);
      refused.push({ line: row.line, reason: license });
    } else if (earlier && !register.layout) {
      refused.push({ line: row.line, reason: `has the same license as line ${earlier.line}; remove one of the two` });
    } else {
      const { created_at, updated_at } = license.content;
      const publicId = publicLicenseId(register.state, license.id);
      const content = JSON.stringify(license.content);
      const hash = createHash("sha256").update(publicId).update(content).digest("base64url").slice(0, 22);
      const preference = preferenceOf(license.content);
      if (license.content.uniform_license_status_description === "Unknown") {
        countStatus(unknown, license.content.reported_license_status);
      }
      if (earlier && earlier.hash !== hash) {
        notes.push({
          line: row.line,
          reason: `has the license of line ${earlier.line}; the row that is valid longer is used`,
        });
      }
      if (!earlier || preference > earlier.preference) {
        const part = partOfLicense(register, license.content);
        const dates = { created: millisecondsOf(created_at), updated: millisecondsOf(updated_at) };
        const place = contents.add(content);
        licenses.set(license.id, { line: row.line, hash, ...dates, part, preference, ...place });
        parts.add(part);
      }
    }
    if (++done % rowsAtOnce === 0) progress(done);
  }
  progress(done);
  refused.sort((a, b) => a.line - b.line);
  const unknownStatuses = [...unknown.values()].sort((one, other) => other.rows - one.rows);
  return { licenses, refused, rejectedIds, parts, notes, unknownStatuses, hasUnidentifiedRows };
}

/** Counts a status without regard to letter case. */
function countStatus(counts: Map<string, UnknownStatus>, status: string): void {
  const key = status.toLowerCase();
  const counted = counts.get(key);
  if (counted) counted.rows++;
  else if (counts.size < maxUnknownStatuses) counts.set(key, { status, rows: 1 });
}

/** States list a license twice if it was renewed or moved. The active row that expires last is the present one. */
const preferenceOf = (content: RegisterLicense["content"]): string =>
  `${content.uniform_license_status_description === "Active" ? 1 : 0} ${content.expires_at ?? ""}`;

/** Parses an instant that `parseRegisterInstant` returned. `toISOString` converts the result back to the same text. */
const millisecondsOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
