import type { Bucket } from "../shared/domain/documents/bucket.ts";
import type { Table } from "../shared/store/client.ts";
import { crashingBucket } from "./crashingBucket.ts";
import { killAfter } from "./shared/store/crashInjection.ts";
import { interceptCalls } from "./shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "./testTable.ts";

/** The table and the bucket of a test file for a process that is killed after a number of calls of the two. */
export function dyingStores(table: Table, calls: number): { table: Table; bucket: Bucket } {
  const before = killAfter(calls);
  const dying = testTableOf(table);
  interceptCalls(dying).before = before;
  return { table: dying, bucket: crashingBucket(before) };
}
