import { deserialize } from "node:v8";
import { inflateRawSync } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import type { WantedTerms } from "./licenseTerms.ts";
import { type StoredTerms, TermIndex } from "./termIndex.ts";

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

/** The index of a generation, which a search reads: where each record is stored, and the terms that find it. */
export interface StoredIndex {
  total: number;
  /** Records per block. A block is compressed as a whole. The last block may have fewer records. */
  perBlock: number;
  /** The end of each block in its pack, in bytes. */
  blockEnds: Uint32Array;
  /** The number of blocks up to the end of each pack. */
  packEnds: Uint32Array;
  /** The deflate dictionary of the blocks. */
  dictionary: Uint8Array;
  terms: StoredTerms;
}

/** Buffer size in bytes that fits most blocks. Node's default of 16 KB adds work for the garbage collector. */
const chunkSize = 8 * 1024;

/**
 * All licenses after one import, in the order of the list (docs/spec.md#order-of-lists). The objects of a generation
 * never change, so a process caches all objects that it reads. Cached packs stay compressed: about 250 bytes of memory
 * per license.
 */
export class Generation {
  readonly name: string;
  readonly total: number;
  readonly #bucket: Bucket;
  readonly #index: StoredIndex;
  readonly #terms: TermIndex;
  /** The cached packs, by number. */
  readonly #packs = new Map<number, Promise<Buffer>>();

  private constructor(bucket: Bucket, name: string, index: StoredIndex) {
    this.name = name;
    this.total = index.total;
    this.#bucket = bucket;
    this.#index = index;
    this.#terms = new TermIndex(index.terms, index.total);
  }

  /**
   * Reads the index of a generation.
   *
   * @throws the error of S3 if it does not exist
   */
  static async open(bucket: Bucket, name: string): Promise<Generation> {
    const packed = await bucket.readBytes(generationKeys(name).index);
    // A large chunk size avoids joining many small pieces.
    const index = inflateRawSync(packed, { chunkSize: 4 * packed.length });
    return new Generation(bucket, name, deserialize(index) as StoredIndex);
  }

  /**
   * Finds the matching licenses. Returns their number and, for one page, their places in the list, ascending from 0.
   */
  find(wanted: WantedTerms, page: { offset: number; limit: number }): { total: number; places: number[] } {
    return this.#terms.find(wanted, page);
  }

  /**
   * Reads the records at some places, as JSON texts. Cost: one S3 read per uncached pack, in parallel.
   *
   * @param places ascending
   */
  async records(places: readonly number[]): Promise<string[]> {
    const { perBlock, blockEnds, packEnds, dictionary } = this.#index;
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
