import { type MimeType, mimeTypeExtensions } from "../../../api/enumerations.ts";
import { withoutInvisible } from "../../../text/invisible.ts";
import { Rejection } from "../../browser/failures.ts";

/** Maximum bytes of a document (docs/spec.md#adding-a-document). */
export const maxBytes = 5 * 1024 * 1024;

/**
 * Text and data files. The API accepts them, for programs that deliver exports. A person who chooses one for a
 * requirement such as a license has chosen the wrong file.
 */
const notOffered: readonly MimeType[] = [
  "application/json",
  "application/vnd.visio",
  "application/xml",
  "image/svg+xml",
  "text/csv",
  "text/plain",
  "text/xml",
];

const types = new Map<string, MimeType>();
for (const [type, extensions] of Object.entries(mimeTypeExtensions) as [MimeType, readonly string[]][]) {
  if (notOffered.includes(type)) continue;
  for (const extension of extensions) types.set(extension, type);
}

/** The `accept` attribute of a file input. */
export const accepted: string = [...types.keys()].map((extension) => `.${extension}`).join();

/** The accepted formats in words. */
export const acceptedWords =
  "PDF files, pictures (JPEG, PNG, GIF, TIFF), and documents of Word, Excel, PowerPoint or OpenOffice";

/** The media type of a file by its extension. The browser's own value differs between systems. */
export const typeOf = (name: string): MimeType | undefined =>
  types.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");

/** Control characters, and characters that reverse the direction of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The names of a file for the service: `file_name` in the form that the service accepts (docs/spec.md#adding-a-document),
 * and the original name as `friendly_name`, if it differs. Invisible characters are removed.
 */
export function namesOf(original: string): { file_name: string; friendly_name?: string } {
  const printable = withoutInvisible(original.replaceAll(unprintable, "-"));
  const dot = printable.lastIndexOf(".");
  const stem = printable.slice(0, Math.max(dot, 0)).replaceAll(/[./\\]/g, "-");
  const file_name = `${shortened(stem, maxStem) || "document"}${printable.slice(Math.max(dot, 0)).toLowerCase()}`;
  const friendly_name = shortened(printable, maxName);
  return { file_name, ...(file_name !== original && friendly_name && { friendly_name }) };
}

const graphemes = new Intl.Segmenter("en");

/** The beginning of a text of at most `max` characters. It never ends within a letter with accents or an emoji. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Maximum characters of a name, and of its part before the extension. */
const maxName = 255;
const maxStem = 240;

/** What a visitor with a HEIC photo can do. */
export const heicWords =
  "This photo has the format HEIC, which is not accepted. On an iPhone, choose Settings › Camera › Formats › Most Compatible, and take the photo again. Or open the photo, take a screenshot of it, and add the screenshot.";

/** The pictures that the page can make smaller. */
const isShrinkable = (name: string): boolean => ["image/jpeg", "image/png"].includes(typeOf(name) ?? "");

/** The reason why a file cannot be a document, in words; undefined if it can. */
export function problemOf({ name, size }: { name: string; size: number }): string | undefined {
  if (/\.hei[cf]s?$/i.test(name)) return heicWords;
  if (!typeOf(name)) return `Files of this type are not accepted. Please add one of these: ${acceptedWords}.`;
  if (size === 0) return "The file is empty.";
  if (size > maxBytes && !isShrinkable(name))
    return `The file has ${megabytes(size)}, and the limit is 5 MB. Please scan it at a lower quality.`;
  return undefined;
}

/** A file that cannot be a document. The message is for the visitor. */
export class Unsuitable extends Error {}

/** Whether a photo with these first bytes (5 to 12, as text) has the format HEIC, whatever its name is. */
export const isHeic = (beginning: string): boolean => /^ftyp(hei|hev|mif1|msf1)/.test(beginning);

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** The reason why a file cannot be sent or is rejected by the service, in words; undefined if a retry may succeed. */
export function rejectionMessage(failure: unknown): string | undefined {
  if (failure instanceof Unsuitable) return failure.message;
  if (failure instanceof DOMException) return "Your device can no longer read this file. Please choose it once more.";
  if (!(failure instanceof Rejection)) return undefined;
  if (failure.code === "document_limit")
    return "Your business cannot add more documents here. Please contact the company that invited you.";
  if (failure.code === "not_found" || failure.code === "requirement_archived")
    return "This document is no longer requested.";
  if (failure.status !== 422) return undefined;
  if ("body.file_name" in failure.fields)
    return "The name of the file has characters that are not accepted. Please rename the file.";
  return "The content of the file does not match its name. Please open the file, save it again, and choose it once more.";
}
