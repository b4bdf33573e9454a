import type { WantedTerms } from "./licenseTerms.ts";

/** The stored terms of a list and their places. */
export interface StoredTerms {
  /** All terms as UTF-8, concatenated in byte order. */
  texts: Uint8Array;
  /** The end of each term in `texts`. */
  ends: Uint32Array;
  /**
   * The places of each term, ascending from 0. Each place is stored as the distance from the previous place, which
   * compresses well.
   */
  places: Uint32Array;
  /** The end of each term's places in `places`. */
  placesEnds: Uint32Array;
}

/** Finds places by terms. Terms are sorted, so terms with the same prefix are consecutive. */
export class TermIndex {
  readonly #stored: StoredTerms;
  readonly #texts: Buffer;
  readonly #length: number;

  /** @param length number of places in the list */
  constructor(stored: StoredTerms, length: number) {
    const { buffer, byteOffset, byteLength } = stored.texts;
    this.#stored = stored;
    this.#texts = Buffer.from(buffer, byteOffset, byteLength);
    this.#length = length;
  }

  /**
   * The places that match all wanted terms.
   *
   * @returns their number, and one page of them, ascending
   */
  find(wanted: WantedTerms, { offset, limit }: { offset: number; limit: number }): { total: number; places: number[] } {
    const ranges = [
      // For an exact term, the range contains only this term: no other text sorts between the term and the term with a
      // zero byte appended. For a prefix, the range contains all terms with this prefix: UTF-8 text contains no byte
      // 0xff.
      ...wanted.exact.map((term) => this.#rangeOf(term, 0)),
      ...wanted.beginnings.map((beginning) => this.#rangeOf(beginning, 0xff)),
    ];
    /**
     * For each place, the number of ranges that contain a term of the place. The count ends before the first range
     * without such a term. A place matches if the count equals the number of ranges.
     */
    const met = new Uint16Array(this.#length);
    for (const [before, [from, to]] of ranges.entries()) {
      for (let term = from; term < to; term++) {
        this.#eachPlace(term, (place) => {
          if (met[place] === before) met[place] = before + 1;
        });
      }
    }
    const places: number[] = [];
    let total = 0;
    for (let place = 0; place < this.#length; place++) {
      if (met[place] !== ranges.length) continue;
      if (total >= offset && places.length < limit) places.push(place);
      total++;
    }
    return { total, places };
  }

  /** The terms from `first` up to, but not including, `first` with the byte `last` appended. */
  #rangeOf(first: string, last: number): [from: number, to: number] {
    const start = Buffer.from(first);
    return [this.#termsBefore(start), this.#termsBefore(Buffer.concat([start, Buffer.of(last)]))];
  }

  #eachPlace(term: number, visit: (place: number) => void): void {
    const { places, placesEnds } = this.#stored;
    const end = placesEnds[term] ?? 0;
    let place = 0;
    for (let i = placesEnds[term - 1] ?? 0; i < end; i++) {
      place += places[i] ?? 0;
      visit(place);
    }
  }

  /** The number of terms that sort before a text. */
  #termsBefore(text: Buffer): number {
    const { ends } = this.#stored;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const isBefore = this.#texts.compare(text, 0, text.length, ends[middle - 1] ?? 0, ends[middle]) < 0;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
