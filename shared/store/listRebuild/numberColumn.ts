/** Numbers in 8 bytes each, since a list may hold millions. */
export class NumberColumn {
  #values = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** The pushed numbers, in that order. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  /** The same in ascending order. */
  sorted(): Float64Array {
    return this.values.slice().sort();
  }
}

/** The index of the first of some ascending numbers that is not below a value. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
