import type { ChunkReference } from "./snapshotItems.ts";

/** Maximum entries of a node, which keeps it below 1 KB. */
const maxEntries = 32;
/** A node with at most this number of entries has space for those of later days. */
const roomyEntries = (maxEntries * 3) / 4;

/**
 * Divides entries, newest first, into nodes. Entries of one previous node stay together, so that most nodes stay
 * unchanged.
 */
export class Nodes {
  readonly #parted: ChunkReference[][] = [];
  #group: ChunkReference[] = [];
  #groupsNode = 0;

  /** @param node index of the previous node that had the entry, or the entries next to it */
  add(entry: ChunkReference, node: number): void {
    if (node !== this.#groupsNode) this.#endGroup();
    this.#groupsNode = node;
    this.#group.push(entry);
    // A completely new list has a single group.
    if (this.#group.length === 2 * maxEntries) this.#parted.push(this.#group.splice(0, roomyEntries));
  }

  /** Takes the nodes that get no more entries. */
  takeComplete(): ChunkReference[][] {
    return this.#parted.splice(0, Math.max(0, this.#parted.length - 1));
  }

  /** Takes all nodes, after the last entry. */
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
    // Evenly, so that the newest node has space for more.
    const size = Math.ceil(group.length / Math.ceil(group.length / maxEntries));
    for (let i = 0; i < group.length; i += size) this.#parted.push(group.slice(i, i + size));
  }
}
