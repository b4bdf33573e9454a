import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeOldAccessFiles } from "../../shared/domain/accessLog/accessFiles.ts";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { addressKeyFile, callerFile, descriptionFile, sealingKeyFile, serviceKeyFile } from "./environment.ts";
import { lockStage, type StageLock } from "./stageLock.ts";

/** The paths of a local stage's files, all in its data directory. */
export interface DataDirectory {
  /** The engine's database. */
  database: string;
  /** The secrets of the demo's credentials, written when they are issued. */
  demoCredentials: string;
  /** The stage's URLs and credentials for callers, written when the stage is ready. */
  description: string;
  /** The variables that the guides' samples read, for a shell. */
  callerVariables: string;
  /** Port, endpoint and secret of the receiver of webhooks. */
  receiver: string;
  /** The mails of the local stage. */
  mails: string;
  /** The keys and sessions of the identity provider. */
  identityProvider: string;
  objects: string;
  lock: StageLock;
}

/**
 * Prefixes of the names of all files of a stage. The engine appends suffixes to the name of its database, and DynamoDB
 * Local also writes a file with a name that it chooses.
 */
const ownFiles = [
  "table.db",
  "shared-local-instance.db",
  "service.key",
  "address.key",
  "sealing.key",
  "demo.json",
  "format",
  "stage.json",
  "stage.env",
  "log.jsonl",
  "objects",
  "receiver.json",
  "access-log",
  "mails.json",
  "identity-provider.json",
];

/** Increase this number when the stored format changes so that the service cannot read older data. */
const storageFormat = "3";

/**
 * Prepares the directory for one stage and locks it for this process.
 *
 * @param fresh removes the files of earlier stages, and no other files
 * @throws StageError if the directory is not writable, another stage runs on it, or its data has another format
 */
export async function openDataDirectory(directory: string, fresh: boolean): Promise<DataDirectory> {
  let lock: StageLock;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lock = await lockStage(directory);
  } catch (error) {
    if (error instanceof StageError) throw error;
    throw new StageError(`Cannot write to the data directory ${directory}: ${(error as NodeJS.ErrnoException).code}.`);
  }
  if (fresh) {
    for (const name of readdirSync(directory)) {
      if (ownFiles.some((own) => name.startsWith(own))) rmSync(join(directory, name), { recursive: true });
    }
  }
  const [demoCredentials, format] = [join(directory, "demo.json"), join(directory, "format")];
  const stored = existsSync(format) ? readFileSync(format, "utf8") : "";
  if (existsSync(demoCredentials) && stored !== storageFormat) {
    lock.release();
    throw new StageError(
      Number(stored) > Number(storageFormat)
        ? `The data in ${directory} is from a newer version: update this program, name another directory with --data, or start with --fresh to delete the data.`
        : `The data in ${directory} is from an older version: start with --fresh to delete it and create new data.`,
    );
  }
  writeAtomically(format, storageFormat);
  rmSync(logFile(directory), { force: true });
  removeOldAccessFiles(directory);
  for (const key of [serviceKeyFile(directory), addressKeyFile(directory), sealingKeyFile(directory)]) {
    if (!existsSync(key)) writeAtomically(key, randomBytes(32).toString("hex"));
  }
  return {
    database: join(directory, "table.db"),
    demoCredentials,
    description: descriptionFile(directory),
    callerVariables: callerFile(directory),
    receiver: join(directory, "receiver.json"),
    mails: join(directory, "mails.json"),
    identityProvider: join(directory, "identity-provider.json"),
    objects: join(directory, "objects"),
    lock,
  };
}

/** The log of the current stage's functions. */
export function logFile(directory: string): string {
  return join(directory, "log.jsonl");
}
