import { hash } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Condition, Item, RawItem, Table } from "../client.ts";
import { indexingOf } from "../indexingOptions.ts";
import { entryPartitions, recordIdOfEntry } from "../keys/indexEntries.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { entryKeys, toEntryAttributes } from "../orderedList/indexEntries.ts";
import { isDamaged, recordOf } from "./listRules.ts";
import { lowerBound, NumberColumn } from "./numberColumn.ts";
import { streamItems } from "./streamItems.ts";

const maxEntries = 5_000;

export class EntryRebuild {
  readonly #list: OrderedList;
  readonly #column = new NumberColumn();
  /** The fingerprints of the records' entries, ascending. */
  #expected = new Float64Array();
  /** 1 for each of them that `staleEntries` has found. */
  #seen = new Uint8Array();
  /** The ids of damaged records. The values of these records are unknown, so none of the entries is stale. */
  readonly #damaged = new Set<string>();

  constructor(list: OrderedList) {
    this.#list = list;
  }

  /** Call it for each item of the list, before the other methods. */
  add(item: RawItem): void {
    if (isDamaged(item)) this.#damaged.add(item.sk?.S ?? "");
    for (const { pk, sk, at } of this.#entriesOf(item)) this.#column.push(fingerprint(pk, sk, at));
  }

  /** Reads the stored entries. @returns the deletions of entries that belong to no record, or have a wrong position */
  async *staleEntries(table: Table): AsyncGenerator<TransactWriteItem[]> {
    this.#expected = this.#column.values.slice().sort();
    this.#seen = new Uint8Array(this.#expected.length);
    for (const pk of indexingOf(this.#list).extractIndexedFields ? entryPartitions(this.#list) : []) {
      for await (const part of streamItems(table, pk, ["at"], maxEntries))
        yield part.flatMap((entry) => this.#deletion(table, pk, entry));
    }
  }

  /** The number of expected entries that `staleEntries` has not found. */
  get missing(): number {
    return this.#seen.reduce((count, seen) => count + 1 - seen, 0);
  }

  missingOf(item: RawItem): Item[] {
    return this.#entriesOf(item).filter(
      ({ pk, sk, at }) => !this.#seen[lowerBound(this.#expected, fingerprint(pk, sk, at))],
    );
  }

  /** The deletion of a stored entry; none if the entry is right. */
  #deletion(table: Table, pk: string, { sk, at }: RawItem): TransactWriteItem[] {
    const key = { pk, sk: sk?.S ?? "" };
    const value = fingerprint(pk, key.sk, at?.N);
    const first = lowerBound(this.#expected, value);
    for (let i = first; this.#expected[i] === value; i++) this.#seen[i] = 1;
    if (this.#expected[first] === value || this.#damaged.has(recordIdOfEntry(key.sk))) return [];
    // The rebuild repeats a deletion whose response was lost. The first request may arrive after the right entry was put.
    return [table.deleteWrite(key, isGoneOrAt(at?.N))];
  }

  #entriesOf(item: RawItem): (Item & { at?: number })[] {
    const rank = item.rank?.S;
    if (!rank || isDamaged(item)) return [];
    const terms = indexingOf(this.#list).extractIndexedFields?.(recordOf(item)) ?? [];
    const keys = entryKeys(this.#list, item.sk?.S ?? "", terms).values();
    return Array.from(keys, (key) => ({ ...key, ...toEntryAttributes(this.#list, { rank }) }));
  }
}

const isGoneOrAt = (at: string | undefined): Condition => ({
  expression: `attribute_not_exists(#at)${at ? " AND attribute_not_exists(pk) OR #at = :at" : ""}`,
  names: { "#at": "at" },
  ...(at && { values: { ":at": Number(at) } }),
});

/** A 53-bit hash of an entry. Among millions of entries, a collision is very unlikely. */
const fingerprint = (pk: string, sk: string, at: number | string | undefined): number =>
  Number(hash("sha256", `${pk} ${sk} ${at}`, "buffer").readBigUInt64BE(0) >> 11n);
