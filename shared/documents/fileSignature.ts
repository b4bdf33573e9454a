import type { MimeType } from "../api/enumerations.ts";

const openXml: readonly MimeType[] = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
];

/** The bytes that files of a type begin with, as Latin-1 text, for the types that have such. */
const signatures: readonly { begins: readonly string[]; types: readonly MimeType[] }[] = [
  { begins: ["GIF87a", "GIF89a"], types: ["image/gif"] },
  { begins: ["\xff\xd8\xff"], types: ["image/jpeg"] },
  { begins: ["\x89PNG\r\n\x1a\n"], types: ["image/png"] },
  { begins: ["II*\0", "MM\0*", "II+\0", "MM\0+"], types: ["image/tiff"] },
  { begins: ["%PDF-"], types: ["application/pdf"] },
  { begins: ["{\\rtf"], types: ["application/rtf"] },
  {
    begins: ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
    types: [
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.visio",
      // With a password, which is kept in such a container.
      ...openXml,
    ],
  },
  {
    begins: ["PK\x03\x04"],
    types: [
      ...openXml,
      "application/vnd.oasis.opendocument.text",
      "application/vnd.oasis.opendocument.spreadsheet",
      "application/vnd.oasis.opendocument.presentation",
    ],
  },
];

/** Bytes of a file's beginning that `looksLike` needs: readers take a PDF whose header stands anywhere in them. */
export const signatureLength = 1024;

/**
 * Whether a content can be of a type, by how it begins. A type without a signature of its own, such as plain text, has
 * every content but those that begin like another type.
 *
 * @param beginning the first `signatureLength` bytes, or all
 */
export function looksLike(type: MimeType, beginning: Buffer): boolean {
  const text = beginning.toString("latin1");
  const found = signatures.find(({ begins }) => begins.some((signature) => text.startsWith(signature)));
  if (found) return found.types.includes(type);
  if (type === "application/pdf") return text.includes("%PDF-");
  return !signatures.some(({ types }) => types.includes(type));
}
