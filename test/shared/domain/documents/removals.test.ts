import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { newStorageKey, removalOf, sweepRemovals } from "../../../../shared/domain/documents/removals.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
const bucket = useTestBucket();

test("a sweep whose time is over leaves further removals to the next one", async () => {
  const now = new Date();
  const empty = bucket.count();
  for (let i = 0; i < 15; i++) {
    const storageKey = newStorageKey(randomUUID());
    await table().put({ ...removalOf(storageKey, now) });
    await serviceBucket().store(storageKey, "eA==", "text/plain");
  }
  const sweep = (deadline: Date) => sweepRemovals(table(), serviceBucket(), now, { deadline });
  expect(await sweep(now)).toEqual({ removed: 10, failed: 0 });
  expect(await sweep(new Date(now.getTime() + 60_000))).toEqual({ removed: 5, failed: 0 });
  expect(bucket.count()).toBe(empty);
});
