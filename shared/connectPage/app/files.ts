import { mimeTypeExtensions } from "../../api/enumerations.ts";

/** Bytes of a document at most (contract 8.1). */
const mostBytes = 5 * 1024 * 1024;

const types = new Map<string, string>();
for (const [type, extensions] of Object.entries(mimeTypeExtensions)) {
  for (const extension of extensions) if (!types.has(extension)) types.set(extension, type);
}

/** For a file chooser. */
export const accepted: string = [...types.keys()].map((extension) => `.${extension}`).join();

/** The media type of a file by its name: what browsers say differs between systems. */
export const typeOf = (name: string): string | undefined =>
  types.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");

/** Why a file cannot be a document, in words; undefined when it can. */
export function problemOf({ name, size }: { name: string; size: number }): string | undefined {
  if (!typeOf(name)) return "Files of this kind are not taken. PDF, pictures, and office documents are.";
  if (size === 0) return "The file is empty.";
  if (size > mostBytes) return `The file has ${megabytes(size)}; at most 5 MB are taken. A smaller scan will do.`;
  return undefined;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
