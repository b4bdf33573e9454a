import { type Clock, systemClock, utcDay } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { ContentFile } from "./contentFile.ts";
import { Generation, generationKeys, generationsPrefix } from "./generation.ts";
import { compareLicenses, type MergeCounts, mergeLicenses, recordsOf } from "./mergeLicenses.ts";
import {
  computeRetentionStart,
  type Present,
  readPresent,
  recordImportDays,
  replacePresent,
} from "./presentGeneration.ts";
import { type FileRow, readFileLicenses, type UnknownStatus } from "./readFileLicenses.ts";
import { readEntries } from "./registerEntries.ts";
import { type Register, registerName } from "./registerRow.ts";
import type { LicenseStores } from "./searchLicenses.ts";
import { writeGeneration } from "./writeGeneration.ts";

export interface ImportResult extends MergeCounts {
  refused: { line: number; reason: string }[];
  /** Imported rows with a license that another row has, too. */
  notes: { line: number; reason: string }[];
  /** The most frequent first. */
  unknownStatuses: UnknownStatus[];
}

/** Thrown if another import ended during each of this import's attempts to merge its licenses. */
export class ImportOvertakenError extends Error {
  override readonly name = "ImportOvertakenError";
}

/**
 * Maximum number of attempts to merge. An attempt fails if a concurrent import ends during it. Ten attempts allow for
 * several concurrent imports.
 */
const maxAttempts = 10;

/**
 * Imports a state's register: stores a new generation of all licenses, and then makes it the present generation with
 * one write. A crash before that write changes nothing. Searches still find licenses that the file lacks, but they are
 * missing from the register (`Absences`). Importing the same file again stores only its day. A rejected row does not
 * stop the import of other rows. If another import ends in the meantime, the rows are merged into the generation of
 * that import instead.
 *
 * @param options.progress called with the number of rows read
 * @param options.stored called with the numbers of stored licenses and of all licenses of the new generation, across all
 *   registers
 * @throws ImportOvertakenError if other imports ended during every attempt
 * @throws ServiceError "unavailable" if DynamoDB or S3 cannot be reached, or this machine's clock is wrong
 */
export async function importRegister(
  { table, bucket }: LicenseStores,
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  options: {
    clock?: Clock;
    progress?: (rows: number) => void;
    stored?: (licenses: number, total: number) => void;
  } = {},
): Promise<ImportResult> {
  const { clock = systemClock, progress, stored } = options;
  using contents = new ContentFile();
  const file = await readFileLicenses(register, rows, contents, progress);
  const { refused, notes, unknownStatuses } = file;
  for (let tries = 0; tries < maxAttempts; tries++) {
    const before = await readPresent(table, { consistent: true });
    table.checkClock();
    const now = clock.now();
    const entries = () => readEntries(bucket, before?.generation);
    const comparison = await compareLicenses(register, file, entries(), now, before?.days);
    const { counts, fresh, presences } = comparison;
    const { state } = register;
    const days = Object.fromEntries([...file.parts].map((part) => [registerName({ state, part }), utcDay(now)]));
    if (fresh.length === 0 && presences.size === 0) {
      if (before && !(await recordImportDays(table, before, days))) continue;
      return { ...counts, refused, notes, unknownStatuses };
    }
    const base = before && (await Generation.open(bucket, before.generation));
    const merged = mergeLicenses(register, comparison, entries(), now);
    const total = (base?.total ?? 0) + counts.created;
    const name = await writeGeneration(bucket, recordsOf(merged, contents, base, now), (count) =>
      stored?.(count, total),
    );
    const present = await replacePresent(table, before, { generation: name, days }, clock.now());
    if (present) {
      await removeOld(bucket, present, computeRetentionStart(now));
      return { ...counts, refused, notes, unknownStatuses };
    }
  }
  throw new ImportOvertakenError(
    `Other imports of this register finished during this one, ${maxAttempts} times in a row. Run it again when no other import is running.`,
  );
}

/**
 * Removes generations that ended more than a day ago, and the objects of interrupted imports. Objects stored within the
 * last day stay, since a current import may own them. If S3 fails, the next import removes the rest.
 */
async function removeOld(bucket: Bucket, { generation, ended }: Present, before: number): Promise<void> {
  const kept = [generation, ...Object.keys(ended)].map((name) => generationKeys(name).prefix);
  try {
    const objects = await bucket.list(generationsPrefix);
    const old = objects.filter(
      ({ key, storedAt }) => storedAt.getTime() < before && !kept.some((prefix) => key.startsWith(prefix)),
    );
    for (const { key } of old) await bucket.remove(key);
  } catch {
    // A failed removal is ignored, because the import itself is complete.
  }
}
