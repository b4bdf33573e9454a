/** A growing list of numbers that takes 8 to 16 bytes a number, because an ordered list may have millions of records. */
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

  /** The numbers in the order in which they were pushed; not a copy. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** Returns the index of the first number that is not below a value; the numbers must be ascending. */
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
