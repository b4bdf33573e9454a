import type { ChunkReference } from "./snapshotItems.ts";

/** Maximum number of entries in a node; with this limit, a node is smaller than 1 KB. */
const maxEntries = 32;
/** A node with at most this number of entries has space for the entries of later days. */
const roomyEntries = (maxEntries * 3) / 4;

/**
 * Divides the entries of a snapshot, newest first, into nodes. Entries that were in one node of the previous snapshot
 * stay together, so that most nodes stay unchanged.
 */
export class Nodes {
  readonly #parted: ChunkReference[][] = [];
  #group: ChunkReference[] = [];
  #groupsNode = 0;

  /**
   * @param node index of the node in the previous snapshot that had the entry; for a new entry, the index of the node
   *   that had the neighboring entries
   */
  add(entry: ChunkReference, node: number): void {
    if (node !== this.#groupsNode) this.#endGroup();
    this.#groupsNode = node;
    this.#group.push(entry);
    // A list without a previous snapshot has a single group, which is divided before it becomes too large.
    if (this.#group.length === 2 * maxEntries) this.#parted.push(this.#group.splice(0, roomyEntries));
  }

  /** Removes and returns the nodes that get no more entries. */
  takeComplete(): ChunkReference[][] {
    return this.#parted.splice(0, Math.max(0, this.#parted.length - 1));
  }

  /** Removes and returns all nodes. Call it after the last entry. */
  takeAll(): ChunkReference[][] {
    this.#endGroup();
    return this.#parted.splice(0);
  }

  #endGroup(): void {
    const group = this.#group;
    this.#group = [];
    const last = this.#parted.at(-1);
    if (last && last.length + group.length <= roomyEntries) {
      last.push(...group);
      return;
    }
    // Entries are divided evenly, so that the newest node has space for more.
    const size = Math.ceil(group.length / Math.ceil(group.length / maxEntries));
    for (let i = 0; i < group.length; i += size) this.#parted.push(group.slice(i, i + size));
  }
}
