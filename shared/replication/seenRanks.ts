import { deflateRawSync, inflateRawSync } from "node:zlib";
import { rankNumber } from "../table/keys.ts";
import { SlotSet } from "../table/rankedList/slotSet.ts";

const bitsPerPart = 4096;
/** What an item can hold beside the rest of a lease. */
const mostBytes = 300 * 1024;

/**
 * The places of the records that a pull has named so far, one bit each: a million records take 125 KB, since places
 * are handed out one after the other.
 */
export class SeenRanks {
  readonly #parts = new Map<number, SlotSet>();

  /** @param bytes of `toBytes` */
  constructor(bytes?: Uint8Array | null) {
    if (!bytes) return;
    const parts: [number, string][] = JSON.parse(inflateRawSync(bytes).toString());
    for (const [part, bits] of parts) this.#parts.set(part, new SlotSet(Buffer.from(bits, "base64")));
  }

  add(rank: string): void {
    const number = rankNumber(rank);
    const part = Math.floor(number / bitsPerPart);
    const bits = this.#parts.get(part) ?? SlotSet.empty(bitsPerPart);
    this.#parts.set(part, bits);
    bits.add(number % bitsPerPart);
  }

  /** @param number of a rank, by `rankNumber` */
  has(number: number): boolean {
    return this.#parts.get(Math.floor(number / bitsPerPart))?.has(number % bitsPerPart) ?? false;
  }

  /** For another process to go on with; null when it is too much to hand over. */
  toBytes(): Uint8Array | null {
    const parts = [...this.#parts].map(([part, { bytes }]) => [part, Buffer.from(bytes).toString("base64")]);
    const bytes = deflateRawSync(JSON.stringify(parts));
    return bytes.byteLength <= mostBytes ? bytes : null;
  }
}
