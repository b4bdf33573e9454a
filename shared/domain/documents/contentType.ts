import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import type { MimeType } from "../../api/enumerations.ts";

/** How to recognize the files of one MIME type. */
type Format = {
  /** The names that the `file-type` package gives to files of the type. */
  detected?: readonly string[];
  /**
   * Names of streams; the file must be an OLE container with at least one of these streams. `file-type` does not read
   * streams.
   */
  streams?: readonly string[];
  /** A pattern for the beginning of a text, after white space. If absent, the text may begin with anything. */
  begins?: RegExp;
  /** A pattern that a text must contain. */
  holds?: RegExp;
};

const oleContainer = "application/x-cfb";
/** The format of Microsoft Office files since 2007. A file with a password is encrypted inside an OLE container. */
const openXml = (type: MimeType): Format => ({ detected: [type], streams: ["EncryptedPackage"] });
const openDocument = (type: MimeType): Format => ({ detected: [type] });
const xml: Format = { begins: /^</ };

const formats: Readonly<Record<MimeType, Format>> = {
  "text/csv": {},
  "text/plain": {},
  // JSON is not parsed, because parsing the largest allowed file would need a hundred megabytes of memory.
  "application/json": { begins: /^[[{"\-\dtfn]/ },
  "application/xml": xml,
  "text/xml": xml,
  "image/svg+xml": { ...xml, holds: /<([\w-]+:)?svg[\s/>]/ },
  "image/gif": { detected: ["image/gif"] },
  "image/jpeg": { detected: ["image/jpeg"] },
  "image/png": { detected: ["image/png", "image/apng"] },
  "image/tiff": {
    // `file-type` recognizes raw camera formats by metadata that scanners also write into ordinary TIFF files.
    detected: ["image/tiff", "image/x-canon-cr2", "image/x-nikon-nef", "image/x-sony-arw", "image/x-adobe-dng"],
  },
  "application/pdf": { detected: ["application/pdf"] },
  "application/rtf": { detected: ["application/rtf"] },
  "application/msword": { streams: ["WordDocument"] },
  "application/vnd.ms-excel": { streams: ["Workbook", "Book"] },
  "application/vnd.ms-powerpoint": { streams: ["PowerPoint Document"] },
  "application/vnd.visio": { streams: ["VisioDocument"] },
  ...each(openXml, [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ]),
  ...each(openDocument, [
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.presentation",
  ]),
};

function each<const Type extends MimeType>(format: (type: Type) => Format, types: readonly Type[]) {
  return Object.fromEntries(types.map((type) => [type, format(type)])) as Record<Type, Format>;
}

/**
 * Whether a file's content has a type (docs/spec.md#content-of-documents). Only the bytes count, not the file name. A
 * format with a signature must have the signature in the right place. A text format must contain text, and must not
 * begin like an executable script.
 */
export async function isOfType(type: MimeType, content: Buffer): Promise<boolean> {
  const { detected, streams = [], begins, holds } = formats[type];
  if (!detected && streams.length === 0) {
    const text = await textOf(content);
    if (text === undefined || unlikeText.test(text)) return false;
    return (!begins || begins.test(text.trimStart())) && (!holds || holds.test(text));
  }
  const found = await detect(type === "application/pdf" ? withoutPadding(content) : content);
  if (found === oleContainer) return streams.some((name) => content.includes(`${name}\0`, 0, "utf16le"));
  return found !== undefined && (detected ?? []).includes(found);
}

/**
 * The type that `file-type` detects, if any. Content with one of the two prefixes below has no type: `file-type` would
 * skip the prefix, but no accepted format begins with such a prefix.
 */
async function detect(content: Buffer): Promise<string | undefined> {
  if (/^(ID3|\xef\xbb\xbf)/.test(content.toString("latin1", 0, 3))) return undefined;
  // If `file-type` throws, the content has none of the types that it recognizes.
  return (await fileTypeFromBuffer(content).catch(() => undefined))?.mime;
}

/**
 * Removes the bytes that may precede the header of a PDF file: a byte order mark, null bytes and white space. PDF
 * readers accept any bytes before the header if the header is within the first 1,024 bytes. This function does not
 * remove markup before the header, so the file is rejected: a browser could show the file as an HTML page.
 */
function withoutPadding(content: Buffer): Buffer {
  const [padding = ""] = /^(\xef\xbb\xbf)?[\0\s]*/.exec(content.toString("latin1", 0, 1024 - "%PDF-1.7".length)) ?? [];
  return content.subarray(padding.length);
}

/** Beginnings of executable scripts, and of the two text-based formats PDF and RTF, which are separate types. */
const unlikeText = /^(#!|%PDF-|\{\\rtf)/;

/** ASCII control characters except white space. Text does not contain them, but compiled programs and pictures do. */
const control = /[^\P{Cc}\t-\r\u0080-\u009f]/u;

/**
 * Decodes content as text, without the byte order mark. The encoding is UTF-8, UTF-16 (if the content has a byte order
 * mark) or else Latin-1, which spreadsheet programs still write. Undefined if the content is not text. A DOS
 * end-of-file character at the end is ignored.
 */
async function textOf(content: Buffer): Promise<string | undefined> {
  const utf16 = { fffe: "utf-16le", feff: "utf-16be" }[content.toString("hex", 0, 2)];
  const isUnicode = utf16 !== undefined || isUtf8(content);
  const text = isUnicode ? decoded(content, utf16 ?? "utf-8") : content.toString("latin1");
  if (text === undefined || control.test(text.endsWith("\u001a") ? text.slice(0, -1) : text)) return undefined;
  // If `file-type` recognizes the content as another type, the content is not a Latin-1 text.
  if (!isUnicode && (content[0] ?? 0) > 0x7f && (await detect(content))) return undefined;
  return text;
}

function decoded(content: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
