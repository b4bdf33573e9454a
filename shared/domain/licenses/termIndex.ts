import type { WantedTerms } from "./licenseTerms.ts";

/** Which terms stand at which places of a list, as it is stored. */
export interface StoredTerms {
  /** All terms as UTF-8, in the order of their bytes, one behind the other. */
  texts: Uint8Array;
  /** Where in `texts` each of them ends. */
  ends: Uint32Array;
  /** The places of each term, ascending and counted from 0; each as its distance from the one before, which packs well. */
  places: Uint32Array;
  /** Where in `places` those of each term end. */
  placesEnds: Uint32Array;
}

/** Finds the places of a list by terms; since these are sorted, a beginning is a range of them. */
export class TermIndex {
  readonly #stored: StoredTerms;
  readonly #texts: Buffer;
  readonly #length: number;

  /** @param length how many places the list has */
  constructor(stored: StoredTerms, length: number) {
    const { buffer, byteOffset, byteLength } = stored.texts;
    this.#stored = stored;
    this.#texts = Buffer.from(buffer, byteOffset, byteLength);
    this.#length = length;
  }

  /**
   * The places that have all that is wanted.
   *
   * @returns how many there are, and a page of them, ascending
   */
  find(wanted: WantedTerms, { offset, limit }: { offset: number; limit: number }): { total: number; places: number[] } {
    const ranges = [
      // No text comes between a term and the term with a zero byte behind it, and no byte of UTF-8 is above 0xfe.
      ...wanted.exact.map((term) => this.#rangeOf(term, 0)),
      ...wanted.beginnings.map((beginning) => this.#rangeOf(beginning, 0xff)),
    ];
    /** How many of the ranges, from the first one on, each place is in. */
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

  /** The terms that are `first` or more, and less than it with the byte `last` behind. */
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

  /** How many terms come before a text. */
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
