import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createDeflateRaw, createInflateRaw } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import { generationKeys } from "./generation.ts";

/** What imports compare a license with, in place of reading it. */
export interface RegisterEntry {
  /** Whose register it is of: a state, CAN or NLA. */
  state: string;
  /** The same for the same license in every file of its state. */
  id: string;
  /** Tells whether the register's row has changed. */
  hash: string;
  created: string;
  updated: string;
}

/** The entries of a generation one by one, in the order of the list; none where there is no generation. */
export async function* readEntries(bucket: Bucket, generation: string | undefined): AsyncGenerator<RegisterEntry> {
  if (generation === undefined) return;
  const packed = await bucket.readBytes(generationKeys(generation).entries);
  let text = "";
  for await (const part of Readable.from([packed]).pipe(createInflateRaw()).setEncoding("utf8")) {
    // Neither ids nor hashes nor dates hold a brace, so that each one ends an entry.
    const entries = `${text}${part}`.split("}");
    text = entries.pop() ?? "";
    for (const entry of entries) yield JSON.parse(`${entry.slice(1)}}`);
  }
}

/** Packs entries one by one, to be stored as `readEntries` reads them: a JSON array, deflated. */
export class EntryPacker {
  readonly #deflate = createDeflateRaw();
  readonly #packed = buffer(this.#deflate);
  #before = "[";

  async add(entry: RegisterEntry): Promise<void> {
    const isFull = !this.#deflate.write(`${this.#before}${JSON.stringify(entry)}`);
    this.#before = ",";
    if (isFull) await once(this.#deflate, "drain");
  }

  /** All that were added. */
  async end(): Promise<Buffer> {
    this.#deflate.end(this.#before === "[" ? "[]" : "]");
    return this.#packed;
  }
}
