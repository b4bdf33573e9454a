import { createHash } from "node:crypto";
import type { RecordKind } from "../../api/kinds.ts";
import type { Key } from "./key.ts";
import type { OrderedList } from "./orderedLists.ts";

/**
 * The names of the indexed fields of each kind of records. Records that are already stored have no entry of a new name
 * until an operator rebuilds their lists (`test/shared/store/indexedFilters.test.ts`).
 */
export const indexedFields = {
  location: [],
  product: [],
  customer: ["phone", "email", "first_name", "last_name", "merged_into_customer_id"],
  inventory: ["present"],
  sale: ["customer_id", "pos_customer_id", "compliance_status"],
} as const satisfies Record<RecordKind, readonly string[]>;

export type IndexedFieldOf<Kind extends RecordKind> = IndexedField<(typeof indexedFields)[Kind][number]>;

/** A field by which records can be found, and its value. */
export interface IndexedField<Name extends string = string> {
  field: Name;
  value: string;
  /** The day of sale of the record (yyyy-MM-dd), by which the entries of a value are sorted; absent in other lists. */
  day?: string;
}

/**
 * Partition of the index entries of one value. Its key is a digest of the value. So entries stay small (a search reads
 * one entry per match), and a value of any length fits into the key.
 */
export function entriesPartition(list: OrderedList, term: Omit<IndexedField, "day">): string {
  const digest = createHash("sha256").update(`${list.pk}#${term.field}#${term.value}`).digest("base64url");
  return `${entryPrefix}${digest.slice(0, 22)}`;
}

/** Prefix of the partitions of all index entries. */
export const entryPrefix = "ENTRY#";

/**
 * The key of the index entry of a record. The range key is the day of sale, if the field has one, and the record's UUID
 * in 22 characters, which keeps the entry small.
 */
export function entryKey(list: OrderedList, term: IndexedField, recordId: string): Key {
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk: entriesPartition(list, term), sk: `${packDay(term.day ?? "")}${bytes.toString("base64url")}` };
}

/** The range keys of a value's entries on days of sale (yyyy-MM-dd, both inclusive); an absent bound is open. */
export function entryRange({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  // A tilde sorts after every character of an id.
  return { from: packDay(from ?? "0000-00-00"), to: `${packDay(to ?? "9999-99-99")}~` };
}

const idLength = 22;
const packDay = (day: string) => day.replaceAll("-", "");

/** The day of sale in the range key of an entry, yyyy-MM-dd; empty if it has none. */
export function dayOfEntry(sk: string): string {
  return sk.slice(0, -idLength).replace(/^(....)(..)(..)$/, "$1-$2-$3");
}

/** The record id in the range key of an entry. */
export function recordIdOfEntry(sk: string): string {
  const hex = Buffer.from(sk.slice(-idLength), "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
