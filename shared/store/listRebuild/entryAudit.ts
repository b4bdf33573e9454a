import { hash } from "node:crypto";
import { itemId, type RawItem, type Table } from "../client.ts";
import { entriesPartition, entryKey, recordIdOfEntry } from "../keys/indexEntries.ts";
import { mapInGroups } from "../mapInGroups.ts";
import { toEntryAttributes } from "../orderedList/indexEntries.ts";
import { isDamaged, type ListRules, recordOf } from "./listRules.ts";
import { lowerBound, NumberColumn } from "./numberColumn.ts";
import { streamItems } from "./streamItems.ts";

/** An expected index entry. */
export interface ExpectedEntry {
  pk: string;
  sk: string;
  at: number | undefined;
}

const maxPartitionsAtOnce = 16;
/**
 * Maximum number of small partitions that the audit remembers as compared. The audit remembers all large partitions, so
 * it reads few partitions twice.
 */
const maxRemembered = 100_000;
const largeSize = 100;
/**
 * Compares a list's index entries with its records. The partition of an entry is a digest, so a stale entry is found
 * only if its value is known. Known are the values that a record has, and the related
 * values (`readRelatedValues`).
 */
export class EntryAudit {
  readonly #table: Table;
  readonly #rules: ListRules;
  readonly #fingerprints = new NumberColumn();
  #expected = new Float64Array();
  #seen = new Uint8Array();
  /**
   * The ids of damaged records. The values of these records are unknown, so none of the entries
   * is surplus.
   */
  readonly #damaged = new Set<string>();

  constructor(table: Table, rules: ListRules) {
    this.#table = table;
    this.#rules = rules;
  }

  /** Call it for each record, before the other methods. */
  add(item: RawItem): void {
    if (isDamaged(item)) this.#damaged.add(item.sk?.S ?? "");
    for (const entry of this.#entriesOf(item)) this.#fingerprints.push(fingerprint(entry));
  }

  /** Call it after all records were added. @returns the expected number of entries */
  finish(): number {
    const sorted = this.#fingerprints.sorted();
    this.#expected = sorted.filter((value, i) => value !== sorted[i - 1]);
    this.#seen = new Uint8Array(this.#expected.length);
    return this.#expected.length;
  }

  get missing(): number {
    return this.#seen.reduce((sum, seen) => sum + (seen ? 0 : 1), 0);
  }

  /**
   * Reads the stored entries.
   *
   * @param records all records of the list, read a second time
   * @returns the entries that belong to no record, or whose positions differ from the positions of their record
   */
  async *surplus(records: AsyncIterable<RawItem[]>): AsyncGenerator<RawItem[]> {
    const large = new Set<string>();
    const small = new Set<string>();
    const compare = async (pk: string): Promise<RawItem[]> => {
      const found: RawItem[] = [];
      let count = 0;
      for await (const entries of streamItems(this.#table, pk, ["at"], "entries")) {
        count += entries.length;
        for (const entry of entries) {
          if (!this.#notice(pk, entry)) found.push({ ...entry, pk: { S: pk } });
        }
      }
      (count > largeSize ? large : small).add(pk);
      for (const oldest of small) {
        if (small.size <= maxRemembered) break;
        small.delete(oldest);
      }
      return found;
    };
    const compareAll = async function* (pks: Iterable<string>) {
      const unread = [...new Set(pks)].filter((pk) => !large.has(pk) && !small.has(pk));
      for await (const group of mapInGroups(unread, maxPartitionsAtOnce, compare)) {
        const found = group.flat();
        if (found.length > 0) yield found;
      }
    };
    for await (const part of records) {
      yield* compareAll(part.flatMap((item) => this.#entriesOf(item).map(({ pk }) => pk)));
    }
    const { list, readRelatedValues } = this.#rules;
    for await (const terms of readRelatedValues?.() ?? []) {
      yield* compareAll(terms.map((term) => entriesPartition(list, term)));
    }
  }

  /** Returns the record's expected entries that `surplus` has not found. */
  missingOf(item: RawItem): ExpectedEntry[] {
    return this.#entriesOf(item).filter((entry) => !this.#seen[lowerBound(this.#expected, fingerprint(entry))]);
  }

  #notice(pk: string, { sk, at }: RawItem): boolean {
    const position = this.#rules.list.hasPlainEntries ? undefined : Number(at?.N);
    const stored = { pk, sk: sk?.S ?? "", at: position };
    const value = fingerprint(stored);
    const i = lowerBound(this.#expected, value);
    if (this.#expected[i] !== value) return this.#damaged.has(recordIdOfEntry(stored.sk));
    this.#seen[i] = 1;
    return true;
  }

  #entriesOf(item: RawItem): ExpectedEntry[] {
    const { list, finding } = this.#rules;
    const rank = item.rank?.S;
    if (!rank) return [];
    const { at } = toEntryAttributes(list, { rank });
    const terms = finding?.extractIndexedFields?.(recordOf(item)) ?? [];
    const keys = terms.map((term) => entryKey(list, term, item.sk?.S ?? ""));
    return [...new Map(keys.map((key) => [itemId(key), { ...key, at }])).values()];
  }
}

/** A 53-bit hash of an entry. Among millions of entries, a collision is very unlikely. */
function fingerprint({ pk, sk, at }: ExpectedEntry): number {
  const digest = hash("sha256", `${pk} ${sk} ${at}`, "buffer");
  return Number(digest.readBigUInt64BE(0) >> 11n);
}
