import { StringDecoder } from "node:string_decoder";
import { StageError } from "../../cli/stageError.ts";

/** What a file is instead of UTF-8 text, and what to do, by its first bytes. */
const otherFormats: readonly (readonly [start: readonly number[], problem: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "it is a workbook of a spreadsheet or a zip archive; save the sheet as CSV UTF-8"],
  [[0xd0, 0xcf, 0x11, 0xe0], "it is a workbook of a spreadsheet; save the sheet as CSV UTF-8"],
  [[0x25, 0x50, 0x44, 0x46], "it is a PDF document; export the records as CSV"],
  [[0x1f, 0x8b], "it is compressed with gzip; unpack it"],
  [[0x28, 0xb5, 0x2f, 0xfd], "it is compressed with Zstandard; unpack it"],
];

/** @throws StageError if a file begins like one that is not UTF-8 text; the message names the format and the remedy */
export function checkFormat(file: string, start: Buffer): void {
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => start[i] === byte);
  const problem = isWide(start)
    ? 'it is UTF-16 text, as Excel saves "Unicode Text"; save it as UTF-8, in Excel as "CSV UTF-8 (Comma delimited)"'
    : otherFormats.find(([bytes]) => begins(bytes))?.[1];
  if (problem !== undefined) throw new StageError(`Cannot read ${file}: ${problem}.`);
}

/** Whether characters take two or four bytes: by the byte order mark, or by a zero byte in one of the first two characters. */
function isWide(start: Buffer): boolean {
  const [first, second] = start;
  const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMark || first === 0 || (second === 0 && start.length > 1);
}

/**
 * Decodes a file. Bytes that are not UTF-8 become U+FFFD.
 *
 * @throws StageError if the file is not text, see `checkFormat`
 */
export async function* utf8Texts(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) checkFormat(file, chunk);
    isFirst = false;
    yield decoder.write(chunk);
  }
  yield decoder.end();
}
