import type { ChunkReference } from "./snapshotItems.ts";

/** Of a node, which stays below 1 KB by that. */
const maxEntries = 32;
/** A node of so many has room for what comes to it on later days. */
const roomyEntries = (maxEntries * 3) / 4;

/** Parts entries, newest first, into nodes: those of one before stay together, so that most nodes stay what they are. */
export class Nodes {
  readonly #parted: ChunkReference[][] = [];
  #group: ChunkReference[] = [];
  #groupsNode = 0;

  /** @param node the place among the nodes before of the one that the entry was in, or those next to it */
  add(entry: ChunkReference, node: number): void {
    if (node !== this.#groupsNode) this.#endGroup();
    this.#groupsNode = node;
    this.#group.push(entry);
    // Of a list that is all new there is one group only.
    if (this.#group.length === 2 * maxEntries) this.#parted.push(this.#group.splice(0, roomyEntries));
  }

  /** Takes the nodes to which nothing comes any more. */
  takeComplete(): ChunkReference[][] {
    return this.#parted.splice(0, Math.max(0, this.#parted.length - 1));
  }

  /** Takes all, after the last entry. */
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
    // Evenly, so that the newest has room for more.
    const size = Math.ceil(group.length / Math.ceil(group.length / maxEntries));
    for (let i = 0; i < group.length; i += size) this.#parted.push(group.slice(i, i + size));
  }
}
