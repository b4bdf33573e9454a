import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Item } from "./client.ts";

/** Write units that one partition accepts per second (DynamoDB developer guide). */
const unitsPerSecond = 1_000;

/** Maximum write units of a transaction from one partition: half a second's worth. An index takes no more of them. */
export const maxUnitsPerPartition = unitsPerSecond / 2;

/** Milliseconds until a partition without free units has this number of units again. */
export const computeRefillMs = (units: number): number => (1_000 * units) / unitsPerSecond;

/** Limits of TransactWriteItems (100 items, 4 MB), less the fence, and less a KB for each deleted or checked item. */
export const maxItems = 99;
const maxBytes = 4 * 1024 * 1024 - 100 * 1024;

/** The size of a transaction under construction, as DynamoDB counts it. Each write has an item of its own. */
export class TransactionSize {
  readonly #maxUnits: number;
  readonly #units = new Map<string, number>();
  items = 0;
  bytes = 0;

  constructor(maxUnits = maxUnitsPerPartition) {
    this.#maxUnits = maxUnits;
  }

  /** The write units that the transaction takes from the partition key with the most units. */
  get units(): number {
    return Math.max(0, ...this.#units.values());
  }

  /**
   * Adds writes if they fit, and returns whether they do. The first ones always fit: no transaction has more room.
   *
   * @param options.replaced bytes of the item that the first write replaces: DynamoDB charges for the larger version
   * @param options.isRequired whether the writes are added even if they do not fit
   */
  add(writes: readonly TransactWriteItem[], { replaced = 0, isRequired = this.items === 0 } = {}): boolean {
    const units = new Map<string, number>();
    let bytes = this.bytes;
    for (const [i, write] of writes.entries()) {
      const item = itemOf(write);
      const larger = Math.max(itemBytes(item), i === 0 ? replaced : 0);
      units.set(item.pk, (units.get(item.pk) ?? this.#units.get(item.pk) ?? 0) + transactionUnits(larger));
      bytes += larger;
    }
    const isTooLarge = this.items + writes.length > maxItems || bytes > maxBytes;
    const isTooHot = units.values().some((ofPartition) => ofPartition > this.#maxUnits);
    if (!isRequired && (isTooLarge || isTooHot)) return false;
    for (const [pk, ofPartition] of units) this.#units.set(pk, ofPartition);
    this.items += writes.length;
    this.bytes = bytes;
    return true;
  }
}

/** Packs independent writes into transactions. */
export function* packWrites(writes: readonly TransactWriteItem[]): Generator<TransactWriteItem[]> {
  let [size, packed]: [TransactionSize, TransactWriteItem[]] = [new TransactionSize(), []];
  for (const write of writes) {
    if (!size.add([write])) {
      yield packed;
      [size, packed] = [new TransactionSize(), []];
      size.add([write]);
    }
    packed.push(write);
  }
  if (packed.length > 0) yield packed;
}

/** The item that a write puts, or the key of the item that it changes, deletes or checks. */
const itemOf = ({ Put, Update, Delete, ConditionCheck }: TransactWriteItem) =>
  (Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key) as Item;

/** The size of an item as DynamoDB counts it (DynamoDB developer guide, "item sizes and formats"). */
export function itemBytes(item: Record<string, unknown>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + Buffer.byteLength(name) + valueBytes(value)),
    0,
  );
}

function valueBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  // One byte for two digits, and one more.
  if (typeof value === "number") return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum, element) => sum + 1 + valueBytes(element), 3);
  if (value instanceof Set) return [...value].reduce((sum, element) => sum + valueBytes(element), 3);
  if (typeof value === "object" && value !== null) {
    return 3 + Object.keys(value).length + itemBytes(value as Record<string, unknown>);
  }
  return 1;
}

/** Write units of one item in a transaction, which are twice the units of a single write. */
const transactionUnits = (bytes: number): number => 2 * Math.max(1, Math.ceil(bytes / 1_024));
