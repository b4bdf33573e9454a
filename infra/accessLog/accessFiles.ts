import { once } from "node:events";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  type WriteStream,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { utcDay } from "../../shared/time/clock.ts";
import { type AccessLogStore, parseAccessLine } from "./accessLines.ts";

/** Days that a local stage keeps its access log. */
const localAccessLogDays = 30;

/** The folder of a data directory that holds the access log, with a file for each UTC day. */
const folderOf = (directory: string): string => join(directory, "access-log");

const fileOf = (directory: string, day: string): string => join(folderOf(directory), `${day}.jsonl`);

/** The access log of a local stage. The stage need not be running. */
export function accessFiles(directory: string): AccessLogStore {
  return {
    async *read(days, wanted) {
      for (const day of days) {
        const file = fileOf(directory, day);
        if (!existsSync(file)) continue;
        const lines: string[] = [];
        for await (const line of createInterface({ input: createReadStream(file) })) if (wanted(line)) lines.push(line);
        yield { day, lines, unreadable: 0 };
      }
    },
  };
}

/**
 * Copies the access log's lines from the functions' log to the files. On AWS, subscription filters copy these lines.
 * Resolves at the end of the functions' log.
 */
export async function keepAccessLines(functionLog: Readable, directory: string): Promise<void> {
  mkdirSync(folderOf(directory), { recursive: true, mode: 0o700 });
  let open: { day: string; file: WriteStream } | undefined;
  for await (const line of createInterface({ input: functionLog })) {
    const entry = parseAccessLine(line);
    if (!entry) continue;
    const day = utcDay(new Date(entry.time));
    if (open?.day !== day) {
      open?.file.end();
      open = { day, file: createWriteStream(fileOf(directory, day), { flags: "a", mode: 0o600 }) };
    }
    open.file.write(`${line}\n`);
  }
  if (!open) return;
  open.file.end();
  await once(open.file, "close");
}

/** Removes the files of a local access log that are older than its retention. */
export function removeOldAccessFiles(directory: string, now = new Date()): void {
  if (!existsSync(folderOf(directory))) return;
  const oldest = utcDay(new Date(now.getTime() - localAccessLogDays * 86_400_000));
  for (const name of readdirSync(folderOf(directory))) {
    if (name.endsWith(".jsonl") && name.slice(0, 10) < oldest) rmSync(join(folderOf(directory), name));
  }
}
