import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createDeflateRaw, createInflateRaw } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import { generationKeys } from "./generation.ts";

/**
 * The values of a stored license that an import compares with a file. With them, the import need not read the record.
 */
export interface RegisterEntry {
  /** The register: a state, CAN or NLA. */
  state: string;
  /** Stable across all files of the state. */
  id: string;
  /** A digest of the register's row, to detect changes of the row. */
  hash: string;
  created: string;
  updated: string;
  /** The part of the register that has the license; absent if the state publishes its register as one file. */
  part?: string;
  /** The UTC day of the last import that had a readable row of the license, if a later one lacked or rejected it. */
  readOn?: string;
  /** The UTC day of the first import that lacked the license, while a second import has to confirm its absence. */
  absentSince?: string;
  /** The UTC day of the import since which the license is missing from the register. */
  missingSince?: string;
}

/** Reads the entries of a generation one by one, in the order of the list; none without a generation. */
export async function* readEntries(bucket: Bucket, generation: string | undefined): AsyncGenerator<RegisterEntry> {
  if (generation === undefined) return;
  const packed = await bucket.readBytes(generationKeys(generation).entries);
  let text = "";
  for await (const part of Readable.from([packed]).pipe(createInflateRaw()).setEncoding("utf8")) {
    // Ids, hashes and dates contain no brace, so each closing brace ends an entry.
    const entries = `${text}${part}`.split("}");
    text = entries.pop() ?? "";
    for (const entry of entries) yield JSON.parse(`${entry.slice(1)}}`);
  }
}

/** Packs entries one by one, in the format of `readEntries`: a deflated JSON array. */
export class EntryPacker {
  readonly #deflate = createDeflateRaw();
  readonly #packed = buffer(this.#deflate);
  #before = "[";

  async add(entry: RegisterEntry): Promise<void> {
    const isFull = !this.#deflate.write(`${this.#before}${JSON.stringify(entry)}`);
    this.#before = ",";
    if (isFull) await once(this.#deflate, "drain");
  }

  /** Returns all added entries, packed. */
  async end(): Promise<Buffer> {
    this.#deflate.end(this.#before === "[" ? "[]" : "]");
    return this.#packed;
  }
}
