import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Condition, RawItem, Table } from "../client.ts";
import type { ExpectedEntry } from "./entryAudit.ts";

// A rebuild repeats a write whose response was lost. DynamoDB may still process the first request, even after later
// writes of the rebuild. Both requests have the same lease, so the fence does not reject the late request. The
// conditions of the writes in this file reject it.

/** A write of an index entry, and the partition of the entry. */
export interface EntryWrite {
  pk: string;
  write: TransactWriteItem;
}

/**
 * Deletes a stale entry, but not an entry that has replaced it.
 *
 * @param entry the entry as it was read, with its positions
 */
export function deleteEntry(table: Table, entry: RawItem): EntryWrite {
  const key = { pk: entry.pk?.S ?? "", sk: entry.sk?.S ?? "" };
  return { pk: key.pk, write: table.deleteWrite(key, isGoneOrAsRead(entry)) };
}

/** Puts a missing entry. Does not replace an entry that already has positions in a dedicated index. */
export function putEntry(table: Table, entry: ExpectedEntry): EntryWrite {
  const hasNoPosition = { expression: "attribute_not_exists(#rank)", names: { "#rank": "rank" } };
  return { pk: entry.pk, write: table.putWrite({ ...entry }, hasNoPosition) };
}

function isGoneOrAsRead(entry: RawItem): Condition {
  const { at, sale } = unmarshall(entry);
  const stored = Object.entries({ at, sale });
  const isAsRead = stored.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
  );
  const known = stored.filter(([, value]) => value !== undefined);
  return {
    expression: `attribute_not_exists(pk) OR (${isAsRead.join(" AND ")})`,
    names: { "#at": "at", "#sale": "sale" },
    ...(known.length > 0 && { values: Object.fromEntries(known.map(([name, value]) => [`:${name}`, value])) }),
  };
}
