import { createReadStream } from "node:fs";
import { StageError } from "../../cli/stageError.ts";

/** A line of an NDJSON file, counted from 1, and its value, or the reason why it cannot be read. */
export type NdjsonRow = { line: number } & ({ value: unknown } | { fault: "not_json" | "line_too_long" });

/** Maximum of bytes in a line. A longer line is no record and must not be in memory as a whole. */
const maxLineSize = 1_000_000;
const lineFeed = 0x0a;

/**
 * Reads an NDJSON file of any size line by line: one JSON value per line. Skips blank lines.
 *
 * @param exactFields fields whose numbers keep the text of the file: JSON would read `35.00` as 35
 * @param progress called with the number of bytes read so far
 * @throws StageError if the file cannot be read
 */
export async function* ndjsonRows(
  file: string,
  exactFields: ReadonlySet<string>,
  progress: (bytes: number) => void,
): AsyncGenerator<NdjsonRow> {
  const stream = createReadStream(file);
  const reviver: Reviver = (key, value, { source }) =>
    typeof value === "number" && exactFields.has(key) && source && !/e/i.test(source) ? source : value;
  let line = 1;
  // The parts of the current line, unless it is too long.
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.length;
    if (size <= maxLineSize) parts.push(part);
    else parts = [];
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      progress(stream.bytesRead);
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        take(chunk.subarray(start, end));
        yield* rowOf(line, parts, size, reviver);
        [line, parts, size, start] = [line + 1, [], 0, end + 1];
      }
      take(chunk.subarray(start));
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new StageError(`Cannot read ${file}: ${code}.`) : error;
  }
  yield* rowOf(line, parts, size, reviver);
}

/** Node passes the source text of a value; TypeScript's types lack it. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

function* rowOf(line: number, parts: readonly Buffer[], size: number, reviver: Reviver): Generator<NdjsonRow> {
  if (size > maxLineSize) {
    yield { line, fault: "line_too_long" };
    return;
  }
  const text = Buffer.concat(parts).toString("utf8").trim();
  if (text === "") return;
  let value: unknown;
  try {
    // Only fractions need the reviver, which makes parsing several times slower.
    value = /\d\.\d/.test(text)
      ? JSON.parse(text, reviver as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    yield { line, fault: "not_json" };
    return;
  }
  yield { line, value };
}
