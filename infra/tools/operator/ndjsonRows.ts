import { createReadStream } from "node:fs";
import { StageError } from "../../cli/stageError.ts";
import { checkFormat } from "./fileFormat.ts";

/** Why a line cannot be read. */
type NdjsonFault = "not_json" | "repeated_field" | "line_too_long";

/** A line of an NDJSON file, counted from 1, and its value, or the reason why it cannot be read. */
export type NdjsonRow = { line: number } & ({ value: unknown } | { fault: NdjsonFault });

/** Maximum of bytes in a line. A longer line is no record and must not be in memory as a whole. */
const maxLineSize = 1_000_000;
const lineFeed = 0x0a;

/**
 * Reads an NDJSON file of any size line by line: one JSON value per line. Skips blank lines. Numbers with a decimal point
 * are the texts of the file, because JSON would read the amount `35.00` as 35 and the id `12.10` as 12.1.
 *
 * @throws StageError if the file cannot be read, is not UTF-8 text, or is JSON in several lines or in one list
 */
export async function* ndjsonRows(file: string, progress: (bytes: number) => void): AsyncGenerator<NdjsonRow> {
  const stream = createReadStream(file);
  let line = 1;
  let isBlank = true;
  // The parts of the current line, unless it is too long.
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.length;
    if (size <= maxLineSize) parts.push(part);
    else parts = [];
  };
  function* row(): Generator<NdjsonRow> {
    if (size > maxLineSize) yield { line, fault: "line_too_long" };
    const text = Buffer.concat(parts).toString("utf8").trim();
    if (text === "") return;
    if (isBlank) checkFirstLine(file, text);
    isBlank = false;
    yield { line, ...parsed(text) };
  }
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (stream.bytesRead === chunk.length) checkFormat(file, chunk);
      progress(stream.bytesRead);
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        take(chunk.subarray(start, end));
        yield* row();
        [line, parts, size, start] = [line + 1, [], 0, end + 1];
      }
      take(chunk.subarray(start));
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new StageError(`Cannot read ${file}: ${code}.`) : error;
  }
  yield* row();
}

/** @throws StageError if the first line begins a list of records, or a record in several lines */
function checkFirstLine(file: string, text: string): void {
  const remedy = "Write one record per line, without commas between the lines, for example with `jq -c";
  if (text.startsWith("[")) throw new StageError(`Cannot read ${file}: it is a JSON list. ${remedy} '.[]'\`.`);
  if (/^\{([^}]*|.*[{[,])$/s.test(text) && "fault" in parsed(text)) {
    throw new StageError(`Cannot read ${file}: its records have several lines. ${remedy} .\`.`);
  }
}

/** Node passes the source text of a value; TypeScript's types lack it. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepDecimals: Reviver = (_, value, { source }) =>
  typeof value === "number" && source?.includes(".") && !/e/i.test(source) ? source : value;

function parsed(text: string): { value: unknown } | { fault: NdjsonFault } {
  let value: unknown;
  try {
    // Only fractions need the reviver, which makes parsing several times slower.
    value = /\d\.\d/.test(text)
      ? JSON.parse(text, keepDecimals as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    return { fault: "not_json" };
  }
  return countKeys(value) === countWrittenKeys(text) ? { value } : { fault: "repeated_field" };
}

/** The number of keys in all objects of a value. It is not recursive, because JSON may be nested too deeply. */
function countKeys(value: unknown): number {
  const values = [value];
  let keys = 0;
  for (const one of values) {
    if (typeof one !== "object" || one === null) continue;
    const parts: unknown[] = Object.values(one);
    if (!Array.isArray(one)) keys += parts.length;
    for (const part of parts) if (typeof part === "object") values.push(part);
  }
  return keys;
}

/** The number of keys in a JSON text. JSON.parse drops all but the last of several equal keys of an object. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon) keys++;
  return keys;
}
