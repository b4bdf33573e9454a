import type { StoredTerms } from "./termIndex.ts";

/** Places that are collected by terms as texts before they are packed: a megabyte or two. */
const placesPerRun = 4_000;

/** Terms of some places on end, packed like `StoredTerms`, but with the places themselves in the place of distances. */
interface Run extends StoredTerms {
  texts: Buffer;
}

/**
 * Packs the terms of a list place by place. What is collected is packed by runs, and runs of about the same size are merged:
 * so little is held but packed terms, and each is moved a few times only.
 */
export class TermCollector {
  /** How many places there are. */
  length = 0;
  #fresh = new Map<string, number[]>();
  readonly #runs: Run[] = [];

  /** @param terms of the next place, each once */
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

  /** All that was collected. Terms of the same bytes, which lone surrogates make, are found together. */
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

/** Makes one run of two; all places of the first come before those of the second. */
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

/** The order of a term of each run; one behind the last of its run comes after all others. */
function compareTerms(first: Run, one: number, second: Run, other: number): number {
  if (one === first.ends.length) return 1;
  if (other === second.ends.length) return -1;
  const { texts, ends } = first;
  return texts.compare(second.texts, second.ends[other - 1] ?? 0, second.ends[other], ends[one - 1] ?? 0, ends[one]);
}
