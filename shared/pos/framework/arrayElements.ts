import { PosError } from "../connector.ts";

/** Maximum size of one element. The parser holds each element in memory as a whole. */
const maxElementBytes = 8 * 1024 * 1024;
/** Maximum number of bytes before the array, if the array is in a property of an object. */
const maxBytesBefore = 64 * 1024;

/** Some POS systems send a byte order mark before their JSON. */
const byteOrderMark = [0xef, 0xbb, 0xbf];
const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const opening = new Set([..."[{"].map((sign) => sign.charCodeAt(0)));
const closing = new Set([..."]}"].map((sign) => sign.charCodeAt(0)));

/**
 * Parses the elements of a JSON array one by one as the text arrives, so that a long list is never in memory as a
 * whole.
 *
 * @param property the property that holds the array, if the text may be an object; other properties are skipped
 * @throws SyntaxError if the text has no such array, or if the text ends before the array ends; PosError for an element
 * above 8 MB
 */
export async function* arrayElements(
  chunks: AsyncIterable<Uint8Array>,
  property: string | null = null,
): AsyncGenerator<unknown> {
  let markBytes = 0;
  let before = "";
  let isBare = false;
  let lastSign = 0;
  // The bytes of the current element and the parser's state in it.
  let parts: Uint8Array[] = [];
  let depth = 0;
  let inText = false;
  let escaped = false;
  let state = "before" as "before" | "inside" | "after";
  let elements = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (state === "before") {
        if (before === "" && byte === byteOrderMark[markBytes]) {
          markBytes++;
          continue;
        }
        if (byte === 0x5b && leadsTo(property, before)) {
          state = "inside";
          start = at + 1;
          isBare = before.trim() === "";
          continue;
        }
        before += String.fromCharCode(byte);
        const isNone = property === null && byte > space;
        if (isNone || before.length > maxBytesBefore) throw new SyntaxError("not a JSON array");
      } else if (state === "after") {
        if (byte <= space) continue;
        lastSign = byte;
        if (isBare) throw new SyntaxError("not a JSON array");
      } else if (inText) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inText = false;
      } else if (byte === quote) {
        inText = true;
      } else if (opening.has(byte)) {
        depth++;
      } else if (depth > 0) {
        if (closing.has(byte)) depth--;
      } else if (byte === comma || closing.has(byte)) {
        parts.push(chunk.subarray(start, at));
        const text = Buffer.concat(parts).toString();
        parts = [];
        bytes = 0;
        start = at + 1;
        const isEnd = byte !== comma;
        if (isEnd && byte !== 0x5d) throw new SyntaxError("not a JSON array");
        if (isEnd) {
          state = "after";
          lastSign = byte;
        }
        if (!(isEnd && elements === 0 && text.trim() === "")) {
          elements++;
          yield JSON.parse(text);
        }
      }
    }
    // The bytes are copied, because the chunk's memory may be reused.
    if (state !== "inside") continue;
    parts.push(chunk.slice(start));
    bytes += chunk.length - start;
    if (bytes > maxElementBytes) throw new PosError("notUnderstood", { code: "too_large" });
  }
  const end = isBare ? 0x5d : 0x7d;
  if (state !== "after" || lastSign !== end) throw new SyntaxError("the JSON array does not end");
}

/** Whether the array begins after `before`: the outermost value, or that of `property` in the outermost object. */
function leadsTo(property: string | null, before: string): boolean {
  if (before.trim() === "") return true;
  try {
    return Object.keys(JSON.parse(`${before}[]}`)).at(-1) === property;
  } catch {
    return false;
  }
}
