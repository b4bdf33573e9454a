import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeOldAccessFiles } from "../../shared/domain/accessLog/accessFiles.ts";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { fileNames, filesIn } from "./environment.ts";
import { lockStage, type StageLock } from "./stageLock.ts";

/** The paths of a local stage's files, and the lock of its directory. */
export interface DataDirectory extends ReturnType<typeof filesIn> {
  lock: StageLock;
}

/**
 * Prefixes of the names of all files of a stage. The engine appends suffixes to the name of its database, and DynamoDB
 * Local also writes a file with a name that it chooses.
 */
const ownFiles = [...Object.values(fileNames), "shared-local-instance.db"];

/** Increase this number when the stored format changes so that the service cannot read older data. */
const storageFormat = "3";

/**
 * Prepares the directory for one stage and locks it for this process.
 *
 * @throws StageError like `lockDirectory` and `prepareDirectory`
 */
export async function openDataDirectory(directory: string, fresh: boolean): Promise<DataDirectory> {
  return prepareDirectory(directory, await lockDirectory(directory), fresh);
}

/**
 * Locks the directory for this process, and changes no data.
 *
 * @throws StageError if the directory is not writable, or another stage runs on it
 */
export async function lockDirectory(directory: string): Promise<StageLock> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return await lockStage(directory);
  } catch (error) {
    if (error instanceof StageError) throw error;
    throw new StageError(`Cannot write to the data directory ${directory}: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/**
 * Prepares a locked directory for one stage.
 *
 * @param fresh removes the files of earlier stages, and no other files
 * @throws StageError if the data in the directory has another format; the lock is released by then
 */
export function prepareDirectory(directory: string, lock: StageLock, fresh: boolean): DataDirectory {
  if (fresh) {
    for (const name of readdirSync(directory)) {
      if (ownFiles.some((own) => name.startsWith(own))) rmSync(join(directory, name), { recursive: true });
    }
  }
  const files = filesIn(directory);
  const stored = existsSync(files.format) ? readFileSync(files.format, "utf8") : "";
  if (existsSync(files.demoCredentials) && stored !== storageFormat) {
    lock.release();
    throw new StageError(
      Number(stored) > Number(storageFormat)
        ? `The data in ${directory} is from a newer version: update this program, name another directory with --data, or start with --fresh to delete the data.`
        : `The data in ${directory} is from an older version: start with --fresh to delete it and create new data.`,
    );
  }
  writeAtomically(files.format, storageFormat);
  rmSync(files.log, { force: true });
  removeOldAccessFiles(directory);
  for (const key of [files.serviceKey, files.addressKey, files.sealingKey]) {
    if (!existsSync(key)) writeAtomically(key, randomBytes(32).toString("hex"));
  }
  return { ...files, lock };
}
