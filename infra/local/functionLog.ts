import { createWriteStream } from "node:fs";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { keepAccessLines } from "../../shared/domain/accessLog/accessFiles.ts";
import { filesIn } from "./environment.ts";

export interface FunctionLog {
  stream: Writable;
  /** Resolves when all output is in the files. */
  close(): Promise<void>;
}

/** Opens the log of a data directory. Access log entries are also copied to one file per day. */
export function openFunctionLog(directory: string): FunctionLog {
  const stream = new PassThrough();
  const accessLines = new PassThrough();
  stream.pipe(accessLines);
  const written = Promise.all([
    pipeline(stream, createWriteStream(filesIn(directory).log, { flags: "a", mode: 0o600 })),
    keepAccessLines(accessLines, directory),
  ]);
  return {
    stream,
    close: async () => {
      stream.end();
      await written;
    },
  };
}
