import { createHash } from "node:crypto";
import type { Key } from "./key.ts";
import type { OrderedList } from "./orderedLists.ts";

/** A value of a record by which it can be found. */
export interface IndexedField {
  field: string;
  value: string;
}

/**
 * Partition of the entries that lead from one value to the records that have it. A digest, so that an entry stays
 * small (a search reads one for each match) and a value of any length fits a key.
 */
export function entriesPartition(list: OrderedList, term: IndexedField): string {
  const digest = createHash("sha256").update(`${list.pk}#${term.field}#${term.value}`).digest("base64url");
  return `${entryPrefix}${digest.slice(0, 22)}`;
}

/** What the partitions of all entries begin with. */
export const entryPrefix = "ENTRY#";

/** An entry's range key is the record's UUID in 22 characters, for the same reason. */
export function entryKey(list: OrderedList, term: IndexedField, recordId: string): Key {
  return entryKeyIn(entriesPartition(list, term), recordId);
}

/** The same, in the partition of a value's entries. */
export function entryKeyIn(pk: string, recordId: string): Key {
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk, sk: bytes.toString("base64url") };
}

/** The record that an entry leads to, by the entry's range key. */
export function recordIdOfEntry(sk: string): string {
  const hex = Buffer.from(sk, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
