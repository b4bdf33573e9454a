import { hash } from "node:crypto";

const digestLength = 8;
const instantLength = 6;
const entryBytes = digestLength + instantLength;
/** Maximum number of digests in an item; they take 280 KB. */
const maxOfPart = 20_000;

/**
 * Digests of all rejected records (8 bytes of SHA-256), each with the start of the last run that rejected the record. The
 * probability that two of a million records collide is 1 in 37 million. The digests are stored in several parts, because one
 * item is too small for all digests. A page usually changes only one part.
 */
export class RejectedDigests {
  readonly #parts: Map<string, number>[];
  readonly #run: number;
  readonly #changed = new Set<number>();

  /**
   * @param stored the last result of `takeChanged` for each part
   * @param startedAt start of the present run
   */
  constructor(stored: readonly (Uint8Array | undefined)[], startedAt: Date) {
    this.#parts = stored.map((bytes) => unpack(Buffer.from(bytes ?? [])));
    this.#run = startedAt.getTime();
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** Number of parts. */
  get parts(): number {
    return this.#parts.length;
  }

  has(name: string): boolean {
    return this.#partOf(digestOf(name)) >= 0;
  }

  /** Adds a record that the present run has rejected. */
  add(name: string): void {
    const digest = digestOf(name);
    let at = this.#partOf(digest);
    if (this.#parts[at]?.get(digest) === this.#run) return;
    if (at < 0) at = this.#parts.findIndex(({ size }) => size < maxOfPart);
    if (at < 0) at = this.#parts.push(new Map()) - 1;
    this.#parts[at]?.set(digest, this.#run);
    this.#changed.add(at);
  }

  /** Removes a record. @returns whether the record was among the rejected ones */
  delete(name: string): boolean {
    if (this.size === 0) return false;
    const digest = digestOf(name);
    const at = this.#partOf(digest);
    this.#parts[at]?.delete(digest);
    if (at >= 0) this.#changed.add(at);
    return at >= 0;
  }

  /** Drops the records that the present run has not rejected. */
  dropUnmet(): void {
    for (const [at, part] of this.#parts.entries()) {
      for (const [digest, run] of part) {
        if (run === this.#run) continue;
        part.delete(digest);
        this.#changed.add(at);
      }
    }
  }

  /** Returns the parts that changed since the last call, with their numbers. The caller stores them. */
  takeChanged(): [number, Uint8Array][] {
    const changed = [...this.#changed].map((at): [number, Uint8Array] => [at, pack(this.#parts[at] ?? new Map())]);
    this.#changed.clear();
    return changed;
  }

  #partOf(digest: string): number {
    return this.#parts.findIndex((part) => part.has(digest));
  }
}

const digestOf = (name: string): string => hash("sha256", name, "buffer").toString("latin1", 0, digestLength);

function pack(part: ReadonlyMap<string, number>): Uint8Array {
  const bytes = Buffer.alloc(part.size * entryBytes);
  let at = 0;
  for (const [digest, run] of part) {
    bytes.write(digest, at, "latin1");
    bytes.writeUIntBE(run, at + digestLength, instantLength);
    at += entryBytes;
  }
  return bytes;
}

function unpack(bytes: Buffer): Map<string, number> {
  const part = new Map<string, number>();
  for (let at = 0; at < bytes.length; at += entryBytes) {
    part.set(bytes.toString("latin1", at, at + digestLength), bytes.readUIntBE(at + digestLength, instantLength));
  }
  return part;
}
