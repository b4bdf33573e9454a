import { hash } from "node:crypto";

/** Maximum number of ids. The table then takes 16 MB, because it has two places of 8 bytes per id. */
const maxIds = 2 ** 20;

/** The first million ids of a file, as 64 bits of each id's hash, because ids would take several times the memory. */
export class IdSet {
  /** A hash table with open addressing. The value 0 marks a free place. */
  #places = new BigUint64Array(1_024);
  #size = 0;

  /** @returns whether the id is new. A full set stores no further ids and always returns true for them */
  add(id: string): boolean {
    const key = hash("sha1", id, "buffer").readBigUInt64LE() || 1n;
    const place = placeOf(this.#places, key);
    if (this.#places[place] === key) return false;
    if (this.#size === maxIds) return true;
    this.#places[place] = key;
    this.#size++;
    if (2 * this.#size > this.#places.length) this.#grow();
    return true;
  }

  #grow(): void {
    const places = new BigUint64Array(2 * this.#places.length);
    for (const key of this.#places) if (key !== 0n) places[placeOf(places, key)] = key;
    this.#places = places;
  }
}

/** The place of a key, or the free place for it. */
function placeOf(places: BigUint64Array, key: bigint): number {
  const mask = places.length - 1;
  let place = Number(key & BigInt(mask));
  while (places[place] !== 0n && places[place] !== key) place = (place + 1) & mask;
  return place;
}
