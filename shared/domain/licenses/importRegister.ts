import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { ContentFile } from "./contentFile.ts";
import { Generation, generationKeys, generationsPrefix } from "./generation.ts";
import { compareLicenses, type MergeCounts, mergeLicenses, recordsOf } from "./mergeLicenses.ts";
import { computeRetentionStart, type Present, readPresent, replacePresent } from "./presentGeneration.ts";
import { type FileRow, readFileLicenses } from "./readFileLicenses.ts";
import { readEntries } from "./registerEntries.ts";
import type { Register } from "./registerRow.ts";
import type { LicenseStores } from "./searchLicenses.ts";
import { writeGeneration } from "./writeGeneration.ts";

export interface ImportResult extends MergeCounts {
  refused: { line: number; reason: string }[];
}

/** Other imports have ended while this one was merging what it had read, each time that it tried. */
export class ImportOvertakenError extends Error {
  override readonly name = "ImportOvertakenError";
}

/** Each import that ends meanwhile costs a try, so that among some imports at once all come through. */
const maxAttempts = 10;

/**
 * Takes a state's register in: makes a new generation of all licenses and then, by one write, the present one of it. Cut
 * off before that write, it has changed nothing. What is not in the file stays as it is; the same file again changes
 * nothing. Rows that are refused keep no other from being taken. When another import ends meanwhile, what was read is
 * merged into that one's generation instead.
 *
 * @param options.progress told how many rows are read
 * @param options.stored told how many licenses of the next generation are stored, all registers included
 * @throws ImportOvertakenError when other imports ended meanwhile again and again
 * @throws ServiceError "unavailable" when table or store cannot be reached, or this machine's clock is wrong
 */
export async function importRegister(
  { table, bucket }: LicenseStores,
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  options: { clock?: Clock; progress?: (rows: number) => void; stored?: (licenses: number) => void } = {},
): Promise<ImportResult> {
  const { clock = systemClock, progress, stored } = options;
  using contents = new ContentFile();
  const { licenses, refused } = await readFileLicenses(register, rows, contents, progress);
  for (let tries = 0; tries < maxAttempts; tries++) {
    const before = await readPresent(table, { consistent: true });
    table.checkClock();
    const now = clock.now();
    const entries = () => readEntries(bucket, before?.generation);
    const comparison = await compareLicenses(register.state, licenses, entries(), now);
    const { counts, fresh } = comparison;
    if (fresh.length === 0) return { ...counts, refused };
    const base = before && (await Generation.open(bucket, before.generation));
    const merged = mergeLicenses(register.state, comparison, entries(), now);
    const name = await writeGeneration(bucket, recordsOf(merged, contents, base, now), stored);
    const present = await replacePresent(table, before, name, clock.now());
    if (present) {
      await removeOld(bucket, present, computeRetentionStart(now));
      return { ...counts, refused };
    }
  }
  throw new ImportOvertakenError(`Other imports ended meanwhile, ${maxAttempts} times; run it again.`);
}

/**
 * Removes generations that ended more than a day ago, and what imports left that were cut off. What is stored later than
 * a day ago may belong to an import that is under way. What remains, if the store fails, the next import removes.
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
    // The import itself is done.
  }
}
