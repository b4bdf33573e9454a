import type { StoredTerms } from "./termIndex.ts";

/** Places per run. Until the run is packed, the terms of its places are strings of one or two megabytes in total. */
const placesPerRun = 4_000;

/** The terms of consecutive places, packed like `StoredTerms`, but with places instead of distances. */
interface Run extends StoredTerms {
  texts: Buffer;
}

/**
 * Packs the terms of a list, place by place. Terms are packed in runs, and runs of similar size are merged. Nearly all
 * terms in memory are therefore packed, and each term is copied only a few times.
 */
export class TermCollector {
  /** The number of places. */
  length = 0;
  #fresh = new Map<string, number[]>();
  readonly #runs: Run[] = [];

  /** @param terms the terms of the next place, without repetition */
  add(terms: readonly string[]): void {
    for (const term of terms) {
      const places = this.#fresh.get(term);
      if (places) places.push(this.length);
      else this.#fresh.set(term, [this.length]);
    }
    if (++this.length % placesPerRun > 0) return;
    this.#endRun();
    for (;;) {
      const [before, last] = this.#runs.slice(-2);
      if (!before || !last || before.places.length > 2 * last.places.length) break;
      this.#runs.splice(-2, 2, mergeRuns(before, last));
    }
  }

  /**
   * Returns all collected terms. Two different terms can have the same UTF-8 bytes if they contain lone surrogates;
   * such terms share their places.
   */
  stored(): StoredTerms {
    this.#endRun();
    const { places, ...terms } = this.#runs.reduceRight((last, before) => mergeRuns(before, last));
    let term = 0;
    let before = 0;
    return {
      ...terms,
      places: places.map((place, i) => {
        const isNext = i === terms.placesEnds[term];
        if (isNext) term++;
        const distance = isNext ? place : place - before;
        before = place;
        return distance;
      }),
    };
  }

  #endRun(): void {
    const sorted = [...this.#fresh]
      .map(([term, places]) => ({ text: Buffer.from(term), places }))
      .sort((one, other) => Buffer.compare(one.text, other.text));
    this.#fresh = new Map();
    this.#runs.push({
      texts: Buffer.concat(sorted.map(({ text }) => text)),
      ends: sums(sorted.map(({ text }) => text.length)),
      places: Uint32Array.from(sorted.flatMap(({ places }) => places)),
      placesEnds: sums(sorted.map(({ places }) => places.length)),
    });
  }
}

function sums(lengths: readonly number[]): Uint32Array {
  let sum = 0;
  return Uint32Array.from(lengths, (length) => {
    sum += length;
    return sum;
  });
}

/** Merges two runs; all places of the first run precede the places of the second run. */
function mergeRuns(first: Run, second: Run): Run {
  const texts = Buffer.alloc(first.texts.length + second.texts.length);
  const ends = new Uint32Array(first.ends.length + second.ends.length);
  const places = new Uint32Array(first.places.length + second.places.length);
  const placesEnds = new Uint32Array(ends.length);
  let [one, other, count, bytes, placed] = [0, 0, 0, 0, 0];
  const takeText = ({ texts: from, ends: of }: Run, term: number) => {
    bytes += from.copy(texts, bytes, of[term - 1] ?? 0, of[term]);
  };
  const takePlaces = (run: Run, term: number) => {
    const some = run.places.subarray(run.placesEnds[term - 1] ?? 0, run.placesEnds[term]);
    places.set(some, placed);
    placed += some.length;
  };
  while (one < first.ends.length || other < second.ends.length) {
    const order = compareTerms(first, one, second, other);
    if (order <= 0) takeText(first, one);
    else takeText(second, other);
    if (order <= 0) takePlaces(first, one++);
    if (order >= 0) takePlaces(second, other++);
    ends[count] = bytes;
    placesEnds[count++] = placed;
  }
  return {
    texts: Buffer.from(texts.subarray(0, bytes)),
    ends: ends.slice(0, count),
    places,
    placesEnds: placesEnds.slice(0, count),
  };
}

/**
 * Compares one term of the first run with one term of the second run. An index past the end of its run sorts after all
 * terms.
 */
function compareTerms(first: Run, one: number, second: Run, other: number): number {
  if (one === first.ends.length) return 1;
  if (other === second.ends.length) return -1;
  const { texts, ends } = first;
  return texts.compare(second.texts, second.ends[other - 1] ?? 0, second.ends[other], ends[one - 1] ?? 0, ends[one]);
}
