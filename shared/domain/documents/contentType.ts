import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import type { MimeType } from "../../api/enumerations.ts";

/** How the files of a type are known. */
type Format = {
  /** What the detector calls them. */
  detected?: readonly string[];
  /** Streams of which an OLE container has one; the detector does not look into these. */
  streams?: readonly string[];
  /** How a text begins, behind white space; any way when absent. */
  begins?: RegExp;
  /** What a text must hold. */
  holds?: RegExp;
};

const oleContainer = "application/x-cfb";
/** Office files; with a password they are kept in such a container. */
const openXml = (type: MimeType): Format => ({ detected: [type], streams: ["EncryptedPackage"] });
const openDocument = (type: MimeType): Format => ({ detected: [type] });
const xml: Format = { begins: /^</ };

const formats: Readonly<Record<MimeType, Format>> = {
  "text/csv": {},
  "text/plain": {},
  // Not parsed: of the largest file that would take a hundred megabytes.
  "application/json": { begins: /^[[{"\-\dtfn]/ },
  "application/xml": xml,
  "text/xml": xml,
  "image/svg+xml": { ...xml, holds: /<([\w-]+:)?svg[\s/>]/ },
  "image/gif": { detected: ["image/gif"] },
  "image/jpeg": { detected: ["image/jpeg"] },
  "image/png": { detected: ["image/png", "image/apng"] },
  "image/tiff": {
    // The detector tells the raw pictures of cameras by what scanners write, too.
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
 * Whether a content is of a type, by what it is and not by what it is called (docs/spec.md#content-of-documents): what has a signature must have
 * it where its format does, and what is a text must be text, and not for a program to run.
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

/** What the detector takes a content for, if it knows it. It would pass over these beginnings, which no format has. */
async function detect(content: Buffer): Promise<string | undefined> {
  if (/^(ID3|\xef\xbb\xbf)/.test(content.toString("latin1", 0, 3))) return undefined;
  // What it stumbles over is not a file that it knows.
  return (await fileTypeFromBuffer(content).catch(() => undefined))?.mime;
}

/**
 * Readers take a PDF whose header stands anywhere in its first 1,024 bytes. Before it we take nothing but what no reader
 * makes anything of: with markup there, the same file would be a page to a browser.
 */
function withoutPadding(content: Buffer): Buffer {
  const [padding = ""] = /^(\xef\xbb\xbf)?[\0\s]*/.exec(content.toString("latin1", 0, 1024 - "%PDF-1.7".length)) ?? [];
  return content.subarray(padding.length);
}

/** Texts that are made to be run, or belong to a type of their own. */
const unlikeText = /^(#!|%PDF-|\{\\rtf)/;

/** Control characters of ASCII but for white space; in every program and every picture there are some. */
const control = /[^\P{Cc}\t-\r\u0080-\u009f]/u;

/**
 * A content as text, without its byte order mark: UTF-8, UTF-16 with such a mark, or else a character a byte, in which
 * spreadsheets still save. Undefined when it is none; an end of file as DOS wrote it counts for nothing.
 */
async function textOf(content: Buffer): Promise<string | undefined> {
  const utf16 = { fffe: "utf-16le", feff: "utf-16be" }[content.toString("hex", 0, 2)];
  const isUnicode = utf16 !== undefined || isUtf8(content);
  const text = isUnicode ? decoded(content, utf16 ?? "utf-8") : content.toString("latin1");
  if (text === undefined || control.test(text.endsWith("\u001a") ? text.slice(0, -1) : text)) return undefined;
  // No text of a character a byte begins with bytes by which the detector knows something else.
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
