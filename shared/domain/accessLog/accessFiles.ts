import { appendFileSync, createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { utcDay } from "../../time/clock.ts";
import { type AccessLogStore, formatAccessLine, type LoggedAccess, parseAccessLine } from "./accessLines.ts";

/** Days that a local stage keeps its access log. */
const localAccessLogDays = 30;

/** The folder of a data directory that holds the access log. */
const folderOf = (directory: string): string => join(directory, "access-log");

const fileOf = (directory: string, folder: string, day: string): string =>
  join(folderOf(directory), folder, `${day}.jsonl`);

/** The access log of a local stage. The stage need not be running. */
export function accessFiles(directory: string): AccessLogStore {
  return {
    folders: async () => foldersIn(directory),
    async *read(folder, day, wanted) {
      const file = fileOf(directory, folder, day);
      if (!existsSync(file)) return;
      const lines: string[] = [];
      for await (const line of createInterface({ input: createReadStream(file) })) if (wanted(line)) lines.push(line);
      yield { lines, unreadable: 0 };
    },
    countFailed: async () => 0,
    append: async (entry) => appendLine(directory, entry, formatAccessLine(entry)),
    keepDigest: async (digest) =>
      appendFileSync(join(directory, "statement-digests.jsonl"), `${JSON.stringify(digest)}\n`, { mode: 0o600 }),
  };
}

const foldersIn = (directory: string): string[] =>
  existsSync(folderOf(directory)) ? readdirSync(folderOf(directory)) : [];

function appendLine(directory: string, { sp_id: folder, time }: LoggedAccess, line: string): void {
  mkdirSync(join(folderOf(directory), folder), { recursive: true, mode: 0o700 });
  appendFileSync(fileOf(directory, folder, utcDay(new Date(time))), `${line}\n`, { mode: 0o600 });
}

/**
 * Copies the access log's lines from the functions' log to the files. On AWS, subscription filters copy these lines.
 * Resolves at the end of the functions' log.
 */
export async function keepAccessLines(functionLog: Readable, directory: string): Promise<void> {
  for await (const line of createInterface({ input: functionLog })) {
    const entry = parseAccessLine(line);
    if (entry) appendLine(directory, entry, line);
  }
}

/** Removes the files of a local access log that are older than its retention. */
export function removeOldAccessFiles(directory: string, now = new Date()): void {
  const oldest = utcDay(new Date(now.getTime() - localAccessLogDays * 86_400_000));
  for (const folder of foldersIn(directory)) {
    for (const name of readdirSync(join(folderOf(directory), folder))) {
      if (name.endsWith(".jsonl") && name.slice(0, 10) < oldest) rmSync(join(folderOf(directory), folder, name));
    }
  }
}
