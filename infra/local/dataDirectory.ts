import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeOldAccessFiles } from "../accessLog/accessFiles.ts";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { addressKeyFile, callerFile, descriptionFile, sealingKeyFile, serviceKeyFile } from "./environment.ts";
import { lockStage, type StageLock } from "./stageLock.ts";

/** The files of a local stage, all in its data directory. */
export interface DataDirectory {
  /** The engine's database. */
  database: string;
  /** The secrets of the demo's credentials, as soon as they are issued. */
  demoCredentials: string;
  /** What callers need to know, once the stage is ready. */
  description: string;
  /** What of it the guides' samples read, for a shell. */
  callerVariables: string;
  /** Port, endpoint and secret of the receiver of webhooks. */
  receiver: string;
  /** The documents' objects. */
  objects: string;
  lock: StageLock;
}

/**
 * Beginnings of the names of all files a stage makes; the engine adds endings of its own to its database's, for which
 * DynamoDB Local has a name of its own too.
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
];

/** Raised when what is stored changes so that the service does not understand older data any more. */
const storageFormat = "3";

/**
 * Makes the directory ready for one stage, and takes it for this process.
 *
 * @param fresh removes what earlier stages left there, and nothing else
 * @throws StageError when the directory cannot be written to, another stage runs on it, or it holds older data than the
 *   service understands
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
  if (existsSync(demoCredentials) && !(existsSync(format) && readFileSync(format, "utf8") === storageFormat)) {
    lock.release();
    throw new StageError(`The data in ${directory} is of an older version: start with --fresh, which makes it anew.`);
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
    objects: join(directory, "objects"),
    lock,
  };
}

/** What the functions of the present stage have logged. */
export function logFile(directory: string): string {
  return join(directory, "log.jsonl");
}
