import { deflateRawSync, inflateRawSync } from "node:zlib";
import { positionToNumber } from "../../store/keys/positions.ts";
import { SlotSet } from "../../store/orderedList/slotItems.ts";

const ranksPerSet = 4096;
const setBytes = ranksPerSet / 8;
/** Bytes that one set takes in a part before compression: the number of the set, and its bits. */
const entryBytes = 8 + setBytes;
/** Maximum number of sets in a part. Even a part that does not compress well fits into an item of 400 KB. */
const setsPerPart = Math.floor((350 * 1024) / entryBytes);

/**
 * The positions of the records that a pull has named so far, with one bit per position. A million records take 125 KB if their
 * positions are consecutive, and about 1 MB if most records have moved to new positions.
 */
export class SeenPositions {
  readonly #sets = new Map<number, SlotSet>();

  /** Builds an instance from all parts that `toParts` returned, in any order. */
  static ofParts(parts: readonly Uint8Array[]): SeenPositions {
    const seen = new SeenPositions();
    for (const part of parts) {
      const bytes = inflateRawSync(part);
      for (let at = 0; at < bytes.byteLength; at += entryBytes) {
        seen.#sets.set(bytes.readDoubleBE(at), new SlotSet(Uint8Array.from(bytes.subarray(at + 8, at + entryBytes))));
      }
    }
    return seen;
  }

  add(rank: string): void {
    const number = positionToNumber(rank);
    const at = Math.floor(number / ranksPerSet);
    const set = this.#sets.get(at) ?? SlotSet.empty(ranksPerSet);
    this.#sets.set(at, set);
    set.add(number % ranksPerSet);
  }

  has(rank: string): boolean {
    const number = positionToNumber(rank);
    return this.#sets.get(Math.floor(number / ranksPerSet))?.has(number % ranksPerSet) ?? false;
  }

  /** Serializes the positions for another process, in parts that are small enough for an item each. */
  toParts(): Uint8Array[] {
    const sets = [...this.#sets];
    const parts: Uint8Array[] = [];
    for (let start = 0; start < sets.length; start += setsPerPart) {
      const entries = sets.slice(start, start + setsPerPart).map(([at, { bytes }]) => {
        const number = Buffer.alloc(8);
        number.writeDoubleBE(at);
        return Buffer.concat([number, bytes]);
      });
      parts.push(deflateRawSync(Buffer.concat(entries)));
    }
    return parts;
  }
}
