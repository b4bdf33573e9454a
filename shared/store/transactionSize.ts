import { itemId } from "./client.ts";
import type { Key } from "./keys/key.ts";

/** Write units that one partition accepts per second (DynamoDB developer guide). */
const unitsPerSecond = 1_000;

/**
 * Maximum write units that a transaction may take from one partition key: the units of half a second, so that the next
 * transaction need not wait for a whole second. An index needs no separate limit: a transaction takes no more units
 * from an index than from the table, because only the table's units are doubled in a transaction.
 */
export const maxUnitsPerPartition = unitsPerSecond / 2;

/** Milliseconds until a partition without free units has this number of units again. */
export function computeRefillMs(units: number): number {
  return (1_000 * units) / unitsPerSecond;
}

/**
 * Limits of TransactWriteItems (DynamoDB developer guide: 100 items, 4 MB). These limits are lower than DynamoDB's
 * limits, to leave space for the fence, for the items of dropped days, and for the bytes of keys and attribute names.
 */
const maxItems = 88;
const maxBytes = 3.5 * 1024 * 1024;

/** An item that a transaction writes. */
export interface SizedItem {
  key: Key;
  /** the item's size before or after the write, whichever is larger; 0 means an item of at most 1 KB */
  bytes: number;
}

/** Adds up the size of a transaction under construction, as DynamoDB's limits count it. A repeated item counts once. */
export class TransactionSize {
  readonly #maxUnits: number;
  readonly #items = new Set<string>();
  readonly #units = new Map<string, number>();
  #bytes = 0;

  constructor(maxUnits = maxUnitsPerPartition) {
    this.#maxUnits = maxUnits;
  }

  /** The write units that the transaction takes from the partition key with the most units. */
  get units(): number {
    return Math.max(0, ...this.#units.values());
  }

  /**
   * Adds the items of an element if they fit. Returns whether they were added. The first items always fit, because an
   * element above the limits can only be written in its own transaction.
   */
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

/** Write units of one item in a transaction, which are twice the units of a single write. */
function transactionUnits(bytes: number): number {
  return 2 * Math.max(1, Math.ceil(bytes / 1_024));
}
