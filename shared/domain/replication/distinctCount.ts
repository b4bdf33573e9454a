import { hash } from "node:crypto";

const digestBytes = 6;
const digests = 2 ** (digestBytes * 8);
/** Number of kept digests. The standard error of an estimate is 1 / √254: 6 %. */
export const maxExact = 256;

/**
 * Counts different ids, in at most 1.5 KB. An id that is added again, in any order, changes nothing. It keeps the
 * smallest digests of the ids: up to 256 ids, that is the exact count; above, the largest kept digest shows how densely
 * the ids fill the range of digests.
 */
export class DistinctCount {
  /** ascending */
  readonly #smallest: number[] = [];

  /** @param stored the bytes of an earlier count */
  constructor(stored: Uint8Array = new Uint8Array()) {
    const bytes = Buffer.from(stored);
    for (let at = 0; at < bytes.length; at += digestBytes) this.#smallest.push(bytes.readUIntBE(at, digestBytes));
  }

  /** @returns whether the bytes have changed */
  add(id: string): boolean {
    return this.#keep(hash("sha256", id, "buffer").readUIntBE(0, digestBytes));
  }

  /** Adds the ids of another count. */
  merge(other: DistinctCount): void {
    for (const digest of other.#smallest) this.#keep(digest);
  }

  get isExact(): boolean {
    return this.#smallest.length < maxExact;
  }

  get count(): number {
    if (this.isExact) return this.#smallest.length;
    return Math.round((maxExact - 1) / ((this.#smallest[maxExact - 1] as number) / digests));
  }

  get bytes(): Uint8Array {
    const bytes = Buffer.alloc(this.#smallest.length * digestBytes);
    for (const [i, digest] of this.#smallest.entries()) bytes.writeUIntBE(digest, i * digestBytes, digestBytes);
    return bytes;
  }

  #keep(digest: number): boolean {
    if (!this.isExact && digest >= (this.#smallest[maxExact - 1] as number)) return false;
    const larger = this.#smallest.findIndex((one) => one >= digest);
    if (this.#smallest[larger] === digest) return false;
    this.#smallest.splice(larger < 0 ? this.#smallest.length : larger, 0, digest);
    this.#smallest.length = Math.min(this.#smallest.length, maxExact);
    return true;
  }
}
