import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { packSnapshot, readSnapshotPage } from "../../../../shared/domain/inventory/snapshotFile.ts";
import { useTestBucket } from "../../../useTestBucket.ts";

useTestBucket();

const textsOf = (count: number) => Array.from({ length: count }, (_, number) => `{"number":${number}}`);

async function* groupsOf(texts: readonly string[], size: number) {
  for (let start = 0; start < texts.length; start += size) yield texts.slice(start, start + size);
}

test.each([1, 499, 500, 501, 1_250, 130_000])(
  "a file of %i records is one gzip file, and each of its pages is found",
  async (count) => {
    const texts = textsOf(count);
    const { content, metadata } = await packSnapshot(count, groupsOf(texts, 250));
    expect(gunzipSync(content).toString()).toBe(texts.map((text) => `${text}\n`).join(""));
    // S3's limit of the names and values of metadata.
    expect(Object.entries(metadata).join("").length).toBeLessThan(2_048);
    const key = `inventory/${count}`;
    await serviceBucket().storeOnce(key, content, metadata);
    for (const [offset, limit] of [
      [0, 1],
      [0, 1_000],
      [498, 3],
      [count - 1, 1],
      [count - 700, 1_000],
      [count, 1],
      [count + 5_000, 10],
    ] as const) {
      if (offset < 0) continue;
      const records = texts.slice(offset, offset + limit);
      expect(await readSnapshotPage(serviceBucket(), key, { offset, limit })).toEqual({ total: count, records });
    }
  },
);

test("a file of no records has empty pages", async () => {
  const { content, metadata } = await packSnapshot(0, groupsOf([], 1));
  await serviceBucket().storeOnce("inventory/none", content, metadata);
  expect(await readSnapshotPage(serviceBucket(), "inventory/none", { offset: 0, limit: 9 })).toEqual({
    total: 0,
    records: [],
  });
});

test("a file is never replaced", async () => {
  for (const text of ["first", "second"]) {
    const { content, metadata } = await packSnapshot(1, groupsOf([text], 1));
    await serviceBucket().storeOnce("inventory/once", content, metadata);
  }
  const page = await readSnapshotPage(serviceBucket(), "inventory/once", { offset: 0, limit: 9 });
  expect(page.records).toEqual(["first"]);
});
