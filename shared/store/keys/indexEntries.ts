import { hash } from "node:crypto";
import type { RecordKind } from "../../api/kinds.ts";
import type { Key } from "./key.ts";
import type { OrderedList } from "./orderedLists.ts";

/** The names of the indexed fields of each kind. Stored records have no entry of a new name until a rebuild of their lists. */
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

export const entryPrefix = "ENTRY#";

/** Characters of a digest, 6 bits each. Entries have to be small, because a search reads one for each match. */
const digestLength = 11;
const idLength = 22;
const shards = "0123456789abcdef";
const digest = (text: string) => hash("sha256", text, "base64url").slice(0, digestLength);
const packDay = (day: string) => day.replaceAll("-", "");

const entriesPartition = (list: OrderedList, shard: string): string => `${entryPrefix}${digest(`${list.pk}`)}${shard}`;

/** The partitions of a list's index entries. There are 16 of them, so that a busy list does not exhaust one partition. */
export const entryPartitions = (list: OrderedList) => [...shards].map((shard) => entriesPartition(list, shard));

/** The partition of a value's entries, and the beginning of their range keys: a digest, so that any value fits. */
function valueKey(list: OrderedList, { field, value }: Omit<IndexedField, "day">): Key {
  const [first = 0, ...rest] = hash("sha256", `${list.pk}#${field}#${value}`, "buffer");
  const sk = Buffer.from(rest).toString("base64url").slice(0, digestLength);
  return { pk: entriesPartition(list, (first % shards.length).toString(16)), sk };
}

/** The key of the index entry of a record. It ends with the day of sale, if the field has one, and the UUID in base64url. */
export function entryKey(list: OrderedList, term: IndexedField, recordId: string): Key {
  const { pk, sk } = valueKey(list, term);
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk, sk: `${sk}${packDay(term.day ?? "")}${bytes.toString("base64url")}` };
}

/** The keys of a value's entries. @param saleDays limits their days of sale, both inclusive; an absent bound is open */
export function entryRange(
  list: OrderedList,
  term: Omit<IndexedField, "day">,
  saleDays: { from?: string | undefined; to?: string | undefined } = {},
): { pk: string; from: string; to: string } {
  const { pk, sk } = valueKey(list, term);
  // A tilde sorts after every character of a day or an id.
  return { pk, from: `${sk}${packDay(saleDays.from ?? "")}`, to: `${sk}${packDay(saleDays.to ?? "")}~` };
}

/** The day of sale in the range key of an entry, yyyy-MM-dd; empty if it has none. */
export function dayOfEntry(sk: string): string {
  return sk.slice(digestLength, -idLength).replace(/^(....)(..)(..)$/, "$1-$2-$3");
}

export function recordIdOfEntry(sk: string): string {
  const hex = Buffer.from(sk.slice(-idLength), "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
