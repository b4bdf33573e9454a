import { deserialize } from "node:v8";
import { inflateRawSync } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import type { WantedTerms } from "./licenseTerms.ts";
import { type StoredTerms, TermIndex } from "./termIndex.ts";

/** What the keys of all objects of all generations begin with. */
export const generationsPrefix = "licenses/";

/** The objects of a generation: its index, what imports compare with, and packs of records, counted from 0. */
export const generationKeys = (generation: string) => ({
  prefix: `${generationsPrefix}${generation}/`,
  index: `${generationsPrefix}${generation}/index`,
  entries: `${generationsPrefix}${generation}/entries`,
  pack: (number: number) => `${generationsPrefix}${generation}/${number}`,
});

/** What a search needs to know of all records: where each one is, and which terms it has. */
export interface StoredIndex {
  total: number;
  /** Records of a block, which are deflated together; the last one may have fewer. */
  perBlock: number;
  /** Where in its pack each block ends, in bytes. */
  blockEnds: Uint32Array;
  /** How many blocks there are up to the end of each pack. */
  packEnds: Uint32Array;
  /** What blocks are deflated with. */
  dictionary: Uint8Array;
  terms: StoredTerms;
}

/** Bytes that most blocks fit in; what is allocated beyond that, Node's 16 KB, presses on the garbage collector. */
const chunkSize = 8 * 1024;

/**
 * All licenses as one import left them, in the order of the list (docs/spec.md#order-of-lists). Its objects never change, so what was
 * read of them is kept, the packs still packed: about 250 bytes of memory for each license.
 */
export class Generation {
  readonly name: string;
  readonly total: number;
  readonly #bucket: Bucket;
  readonly #index: StoredIndex;
  readonly #terms: TermIndex;
  /** By number. */
  readonly #packs = new Map<number, Promise<Buffer>>();

  private constructor(bucket: Bucket, name: string, index: StoredIndex) {
    this.name = name;
    this.total = index.total;
    this.#bucket = bucket;
    this.#index = index;
    this.#terms = new TermIndex(index.terms, index.total);
  }

  /** Reads the index of a generation. @throws what the store answers when it is not there */
  static async open(bucket: Bucket, name: string): Promise<Generation> {
    const packed = await bucket.readBytes(generationKeys(name).index);
    // In one piece, mostly: many small ones would have to be joined.
    const index = inflateRawSync(packed, { chunkSize: 4 * packed.length });
    return new Generation(bucket, name, deserialize(index) as StoredIndex);
  }

  /** How many licenses have all that is wanted, and the places of a page of them in the list, ascending from 0. */
  find(wanted: WantedTerms, page: { offset: number; limit: number }): { total: number; places: number[] } {
    return this.#terms.find(wanted, page);
  }

  /**
   * The records at some places, as JSON texts: one read in the store for each pack that is not held, in parallel.
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

  /** Lets go of the packs that were read, which nobody needs who reads all records once. */
  forget(): void {
    this.#packs.clear();
  }

  #pack(number: number): Promise<Buffer> {
    const pack = this.#packs.get(number) ?? this.#bucket.readBytes(generationKeys(this.name).pack(number));
    this.#packs.set(number, pack);
    // Not kept, so that the next one may find it.
    pack.catch(() => this.#packs.delete(number));
    return pack;
  }
}

/** Some lines of a text, counted from 0: the others are not made strings of, which took three times the memory. */
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
