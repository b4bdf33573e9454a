import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import type { WantedTerms } from "./licenseTerms.ts";

/** The key prefix of all objects of all generations. */
export const generationsPrefix = "licenses/";

/**
 * The keys of a generation's objects: its index, the entries with which an import compares a file, and packs of
 * records, numbered from 0.
 */
export const generationKeys = (generation: string) => ({
  prefix: `${generationsPrefix}${generation}/`,
  index: `${generationsPrefix}${generation}/index`,
  entries: `${generationsPrefix}${generation}/entries`,
  pack: (number: number) => `${generationsPrefix}${generation}/${number}`,
});

/**
 * The tables of a generation's index, a SQLite database. `list` has one row: the number of records, the deflate dictionary of
 * the blocks, the end of each block in its pack in bytes, and the number of blocks up to the end of each pack. `terms` keeps only
 * which records have a word. Beginnings of 1, 3 and 5 letters, after the letter of the term's kind, have indexes of their own:
 * names share them most, and without these indexes a search merges the records of all their words.
 */
export const indexTables = `
  CREATE TABLE list (total INTEGER, dictionary BLOB, blockEnds BLOB, packEnds BLOB);
  CREATE VIRTUAL TABLE terms USING fts5(
    word, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '2 4 6'
  );
`;

/**
 * Records per block. A block is compressed as a whole. The number is small, because a page of scattered records has to inflate
 * one block for each record (docs/decisions/license-generations.md).
 */
export const perBlock = 4;

/**
 * Writes a term as a word for FTS5, whose tokenizer `ascii` separates words at all characters below 128 but letters and
 * digits. Words of names have no such characters; other terms become hexadecimal digits. So words are separated and compared
 * by this project's rules alone, and a beginning of a term stays a beginning of its word.
 */
export const wordOf = (term: string): string =>
  term.startsWith("W") ? term : `${term.charAt(0)}${Buffer.from(term.slice(1)).toString("hex")}`;

/** Buffer size in bytes that fits most blocks. Node's default of 16 KB adds work for the garbage collector. */
const chunkSize = 8 * 1024;

/**
 * All licenses after one import, in the order of the list (docs/spec.md#order-of-lists). The objects of a generation
 * never change, so a process caches all packs that it reads. They stay compressed: about 110 bytes of memory per license.
 * The index is a temporary file, and memory holds only the pages that searches need.
 */
export class Generation {
  readonly name: string;
  readonly total: number;
  readonly #bucket: Bucket;
  readonly #index: DatabaseSync;
  readonly #dictionary: Uint8Array;
  readonly #blockEnds: Uint32Array;
  readonly #packEnds: Uint32Array;
  /** The cached packs, by number. */
  readonly #packs = new Map<number, Promise<Buffer>>();

  private constructor(bucket: Bucket, name: string, index: DatabaseSync) {
    const { total, dictionary, blockEnds, packEnds } = index.prepare("SELECT * FROM list").get() ?? {};
    this.name = name;
    this.total = total as number;
    this.#bucket = bucket;
    this.#index = index;
    this.#dictionary = dictionary as Uint8Array;
    this.#blockEnds = numbersOf(blockEnds as Uint8Array);
    this.#packEnds = numbersOf(packEnds as Uint8Array);
  }

  /**
   * Downloads the index of a generation.
   *
   * @throws the error of S3 if it does not exist
   */
  static async open(bucket: Bucket, name: string): Promise<Generation> {
    const bytes = await bucket.readBytes(generationKeys(name).index);
    const directory = mkdtempSync(join(tmpdir(), "licenses-"));
    const file = join(directory, "index");
    writeFileSync(file, bytes, { mode: 0o600 });
    const address = pathToFileURL(file);
    address.searchParams.set("immutable", "1");
    const index = new DatabaseSync(address, { readOnly: true });
    // The file's space becomes free when the database is closed, at the latest at the end of the process.
    if (process.platform !== "win32") rmSync(directory, { recursive: true });
    return new Generation(bucket, name, index);
  }

  /**
   * Finds the matching licenses. Returns their number and, for one page, their places in the list, ascending from 0.
   */
  find(
    { exact, beginnings }: WantedTerms,
    { offset, limit }: { offset: number; limit: number },
  ): { total: number; places: number[] } {
    const words = [...exact.map((term) => wordOf(term)), ...beginnings.map((term) => `${wordOf(term)}*`)].join(" ");
    if (words === "") {
      const length = Math.max(0, Math.min(limit, this.total - offset));
      return { total: this.total, places: Array.from({ length }, (_, i) => offset + i) };
    }
    const { total } = this.#index.prepare("SELECT count(*) AS total FROM terms WHERE terms MATCH ?").get(words) as {
      total: number;
    };
    const length = Math.max(0, Math.min(limit, total - offset));
    // SQLite steps over all matches before a page, so it begins at the nearer end.
    const after = total - offset - length;
    const [order, skipped] = after < offset ? ["DESC", after] : ["ASC", offset];
    const rows = this.#index
      .prepare(`SELECT rowid AS place FROM terms WHERE terms MATCH ? ORDER BY rowid ${order} LIMIT ? OFFSET ?`)
      .all(words, length, skipped) as { place: number }[];
    return { total, places: rows.map(({ place }) => place).sort((a, b) => a - b) };
  }

  /**
   * Reads the records at some places, as JSON texts. Cost: one S3 read per uncached pack, in parallel.
   *
   * @param places ascending
   */
  async records(places: readonly number[]): Promise<string[]> {
    const [blockEnds, packEnds, dictionary] = [this.#blockEnds, this.#packEnds, this.#dictionary];
    const byBlock = Map.groupBy(places, (place) => Math.floor(place / perBlock));
    const byPack = Map.groupBy(byBlock, ([block]) => packEnds.findIndex((end) => block < end));
    const found = await Promise.all(
      [...byPack].map(async ([number, blocks]) => {
        const pack = await this.#pack(number);
        const firstBlock = packEnds[number - 1] ?? 0;
        return blocks.flatMap(([block, wanted]) => {
          const start = block === firstBlock ? 0 : blockEnds[block - 1];
          const lines = inflateRawSync(pack.subarray(start, blockEnds[block]), { dictionary, chunkSize });
          return linesOf(lines, new Set(wanted.map((place) => place % perBlock)));
        });
      }),
    );
    return found.flat();
  }

  /** Removes all packs from the cache. An import calls this method, because an import reads each record only once. */
  forget(): void {
    this.#packs.clear();
  }

  #pack(number: number): Promise<Buffer> {
    const pack = this.#packs.get(number) ?? this.#bucket.readBytes(generationKeys(this.name).pack(number));
    this.#packs.set(number, pack);
    // A failed read is not cached, so that the next call retries it.
    pack.catch(() => this.#packs.delete(number));
    return pack;
  }
}

/**
 * Returns the lines of a text whose numbers, counted from 0, are wanted. Other lines are not decoded, because decoding
 * all lines takes three times the memory.
 */
function linesOf(text: Buffer, wanted: ReadonlySet<number>): string[] {
  const lines: string[] = [];
  for (let line = 0, start = 0; start <= text.length; line++) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end;
    if (wanted.has(line)) lines.push(text.toString("utf8", start, next));
    start = next + 1;
  }
  return lines;
}

const numbersOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);
