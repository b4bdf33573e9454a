import { createWriteStream } from "node:fs";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { keepAccessLines } from "../../shared/domain/accessLog/accessFiles.ts";
import { filesIn } from "./environment.ts";

export interface FunctionLog {
  stream: Writable;
  /** Resolves with one line when the files cannot be written, for example because the disk is full. */
  failed: Promise<string>;
  /** Resolves when all output is in the files, or cannot be written. */
  close(): Promise<void>;
}

/** Opens the log of a data directory. Access log entries are also copied to one file per day. */
export function openFunctionLog(directory: string): FunctionLog {
  const stream = new PassThrough();
  const accessLines = new PassThrough();
  stream.pipe(accessLines);
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  const written = Promise.all([
    pipeline(stream, createWriteStream(filesIn(directory).log, { flags: "a", mode: 0o600 })),
    keepAccessLines(accessLines, directory),
  ]).catch(({ code, name }: NodeJS.ErrnoException) => {
    fail(
      `The log in the data directory ${directory} cannot be written (${code ?? name}): free disk space, then start again.`,
    );
  });
  return {
    stream,
    failed,
    close: async () => {
      stream.end();
      await written;
    },
  };
}
