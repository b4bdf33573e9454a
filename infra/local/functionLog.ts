import { createWriteStream } from "node:fs";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { keepAccessLines } from "../accessLog/accessFiles.ts";
import { logFile } from "./dataDirectory.ts";

/** Where one host of functions writes its log. */
export interface FunctionLog {
  stream: Writable;
  /** Resolves when everything that was written is in the files. */
  close(): Promise<void>;
}

/** Opens the log of a data directory, whose entries of the access log are also written to a file of their day. */
export function openFunctionLog(directory: string): FunctionLog {
  const stream = new PassThrough();
  const accessLines = new PassThrough();
  stream.pipe(accessLines);
  const written = Promise.all([
    pipeline(stream, createWriteStream(logFile(directory), { flags: "a", mode: 0o600 })),
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
