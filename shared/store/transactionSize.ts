import { itemId } from "./client.ts";
import type { Key } from "./keys/key.ts";

/** Write units that DynamoDB gives one partition per second (developer guide). */
const unitsPerSecond = 1_000;

/**
 * Write units that a transaction may take from one partition key: half a second's worth, so that the next one need not
 * wait for a whole second. An index takes at most as many as the table, because its units are not doubled.
 */
export const maxUnitsPerPartition = unitsPerSecond / 2;

/** Milliseconds until a partition without units has that many again. */
export function computeRefillMs(units: number): number {
  return (1_000 * units) / unitsPerSecond;
}

/**
 * Limits of TransactWriteItems (DynamoDB developer guide: 100 items, 4 MB). They leave room for the fence, the days
 * that a list drops, and keys and names.
 */
const maxItems = 88;
const maxBytes = 3.5 * 1024 * 1024;

/** An item that a transaction writes. */
export interface SizedItem {
  key: Key;
  /** its size before or after the write, the larger one; 0 counts as an item of at most 1 KB */
  bytes: number;
}

/** The size of a transaction under construction, by DynamoDB's limits. A repeated item counts once. */
export class TransactionSize {
  readonly #maxUnits: number;
  readonly #items = new Set<string>();
  readonly #units = new Map<string, number>();
  #bytes = 0;

  constructor(maxUnits = maxUnitsPerPartition) {
    this.#maxUnits = maxUnits;
  }

  /** Write units of the partition key that needs the most. */
  get units(): number {
    return Math.max(0, ...this.#units.values());
  }

  /** Adds items if they fit. The first items always fit, because an element above a limit can only be written alone. */
  add(items: readonly SizedItem[]): boolean {
    const added = new Map<string, SizedItem>();
    const units = new Map<string, number>();
    let bytes = this.#bytes;
    for (const item of items) {
      const id = itemId(item.key);
      if (this.#items.has(id) || added.has(id)) continue;
      added.set(id, item);
      const { pk } = item.key;
      units.set(pk, (units.get(pk) ?? this.#units.get(pk) ?? 0) + transactionUnits(item.bytes));
      bytes += item.bytes;
    }
    const isTooLarge = this.#items.size + added.size > maxItems || bytes > maxBytes;
    const isTooHot = units.values().some((ofPartition) => ofPartition > this.#maxUnits);
    if (this.#items.size > 0 && (isTooLarge || isTooHot)) return false;
    for (const id of added.keys()) this.#items.add(id);
    for (const [pk, ofPartition] of units) this.#units.set(pk, ofPartition);
    this.#bytes = bytes;
    return true;
  }
}

/** Write units of one item in a transaction: twice those of a single write. */
function transactionUnits(bytes: number): number {
  return 2 * Math.max(1, Math.ceil(bytes / 1_024));
}
