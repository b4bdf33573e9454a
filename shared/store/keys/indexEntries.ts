import { createHash } from "node:crypto";
import type { Key } from "./key.ts";
import type { OrderedList } from "./orderedLists.ts";

/** A field by which records can be found, and its value. */
export interface IndexedField {
  field: string;
  value: string;
}

/**
 * Partition of the index entries of one value. Its key is a digest of the value. So entries stay small (a search reads
 * one entry per match), and a value of any length fits into the key.
 */
export function entriesPartition(list: OrderedList, term: IndexedField): string {
  const digest = createHash("sha256").update(`${list.pk}#${term.field}#${term.value}`).digest("base64url");
  return `${entryPrefix}${digest.slice(0, 22)}`;
}

/** Prefix of the partitions of all index entries. */
export const entryPrefix = "ENTRY#";

/**
 * The key of the index entry of a record. The range key is the record's UUID in 22 characters, which keeps the entry
 * small.
 */
export function entryKey(list: OrderedList, term: IndexedField, recordId: string): Key {
  return entryKeyIn(entriesPartition(list, term), recordId);
}

/** Like `entryKey`, but takes the partition of the value's entries. */
export function entryKeyIn(pk: string, recordId: string): Key {
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk, sk: bytes.toString("base64url") };
}

/** The record id in the range key of an entry. */
export function recordIdOfEntry(sk: string): string {
  const hex = Buffer.from(sk, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
