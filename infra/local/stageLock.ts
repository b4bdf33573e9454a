import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { shellWord } from "../stages/outputs.ts";
import type { Endpoints } from "./environment.ts";
import { endProcess, identifyProcess, isRunning, type ProcessIdentity } from "./processIdentity.ts";

/** The holder of a data directory: its stage, its engine, and the addresses of its services. */
interface Holder {
  stage: ProcessIdentity;
  engine?: ProcessIdentity;
  endpoints?: Endpoints;
}

/** Locks a data directory for one stage: two engines on one database file would corrupt it. */
export interface StageLock {
  /** Records the engine as soon as its process exists, so that it is found even if this stage is killed. */
  engineSpawned(pid: number): void;
  publishEndpoints(endpoints: Endpoints): void;
  release(): void;
}

/**
 * Locks the directory for this process. If a killed stage left a lock, ends the engine of that stage and removes the
 * lock.
 *
 * @param program name of the locking program in error messages
 * @throws StageError if another program runs on the directory
 */
export async function lockStage(directory: string, program = "stage"): Promise<StageLock> {
  const file = lockFile(directory);
  const holder: Holder = { stage: ownMark() };
  const write = () => writeAtomically(file, JSON.stringify(holder));
  while (!createOnce(file, JSON.stringify(holder))) {
    const found = readText(file);
    const other = parseHolder(found);
    if (other && isRunning(other.stage)) {
      throw new StageError(
        `Another ${program} (process ${other.stage.pid}) is running on ${directory}: stop it first.`,
      );
    }
    if (other?.engine) await endProcess(other.engine);
    removeUnchanged(file, found);
  }
  return {
    engineSpawned(pid) {
      const engine = identifyProcess(pid);
      if (engine) holder.engine = engine;
      write();
    },
    publishEndpoints(endpoints) {
      holder.endpoints = endpoints;
      write();
    },
    release: () => removeUnchanged(file, JSON.stringify(holder)),
  };
}

/** The error if no stage runs on the directory. */
export function noStage(directory: string): StageError {
  const options = directory === resolve(".local") ? "" : ` -- --data ${shellWord(directory)}`;
  return new StageError(`No local stage runs on ${directory}: start one with npm start${options}.`);
}

/** The addresses of the services of the stage that runs on the directory; undefined if no stage runs. */
export function runningEndpoints(directory: string): Endpoints | undefined {
  const holder = parseHolder(readText(lockFile(directory)));
  return holder && isRunning(holder.stage) ? holder.endpoints : undefined;
}

function lockFile(directory: string): string {
  return join(directory, "stage.lock");
}

function ownMark(): ProcessIdentity {
  return identifyProcess(process.pid) ?? { pid: process.pid, identity: "" };
}

/** Creates the file with its content in one step; false if it exists. */
function createOnce(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes a lock that still has this text. Meanwhile, another start may have replaced it: the lock is moved away first, since
 * only one process can move it, and moved back if it is that of another start.
 */
function removeUnchanged(file: string, text: string | undefined): void {
  const moved = `${file}.${process.pid}.moved`;
  try {
    renameSync(file, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const found = readText(moved);
  if (found !== undefined && found !== text) createOnce(file, found);
  rmSync(moved, { force: true });
}

/** The text of a file; undefined if it cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The holder in the text of a lock; undefined if it has none. */
function parseHolder(text = ""): Holder | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
