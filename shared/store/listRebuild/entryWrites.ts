import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Condition, RawItem, Table } from "../client.ts";

/**
 * Deletes a stale entry, but not an entry that has replaced it: a rebuild repeats a write whose response was lost, and
 * DynamoDB may process the first request after later writes of the rebuild. Both requests have the same lease, so the
 * fence does not reject the late one.
 *
 * @param entry the entry as it was read, with its position
 */
export function deleteEntry(table: Table, entry: RawItem): TransactWriteItem {
  return table.deleteWrite({ pk: entry.pk?.S ?? "", sk: entry.sk?.S ?? "" }, isGoneOrAsRead(entry));
}

function isGoneOrAsRead({ at }: RawItem): Condition {
  const names = { "#at": "at" };
  if (!at?.N) return { expression: "attribute_not_exists(pk) OR attribute_not_exists(#at)", names };
  return { expression: "attribute_not_exists(pk) OR #at = :at", names, values: { ":at": Number(at.N) } };
}
