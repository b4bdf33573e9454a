/** A set of sequence numbers of one segment, as a bitmap with one bit for each sequence number. */
export class SlotSet {
  readonly bytes: Uint8Array;

  /** @param bytes the bitmap, segment size / 8 bytes; the set keeps this array and changes it in place */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static empty(segmentSize: number): SlotSet {
    return new SlotSet(new Uint8Array(Math.ceil(segmentSize / 8)));
  }

  copy(): SlotSet {
    return new SlotSet(Uint8Array.from(this.bytes));
  }

  has(slot: number): boolean {
    return ((this.bytes[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  add(slot: number): void {
    this.bytes[slot >> 3] = (this.bytes[slot >> 3] ?? 0) | (1 << (slot & 7));
  }

  count(): number {
    let count = 0;
    for (let byte of this.bytes) for (; byte !== 0; byte &= byte - 1) count++;
    return count;
  }
}
