import { describe, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { packWrites, TransactionSize } from "../../../shared/store/transactionSize.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();

/** A put of an item of the given number of bytes. */
const put = (bytes: number, pk: string, sk: string): ReturnType<Table["putWrite"]> =>
  table().putWrite({ pk, sk, body: "x".repeat(bytes - "pkskbody".length - pk.length - sk.length) });

describe("a transaction has room for", () => {
  const sizes = (count: number, bytes: number, partitions = count) => {
    const writes = Array.from({ length: count }, (_, i) => put(bytes, `list ${i % partitions}`, `${i}`));
    return [...packWrites(writes)].map(({ length }) => length);
  };

  test("99 items, because the fence is another one", () => {
    expect(sizes(99, 100)).toEqual([99]);
    expect(sizes(200, 100)).toEqual([99, 99, 2]);
  });

  test("4 MB, of many partitions, less 100 KB", () => {
    expect(sizes(20, 249 * 1_024)).toEqual([16, 4]);
    expect(sizes(20, 250 * 1_024)).toEqual([15, 5]);
  });

  test("500 write units of one partition, with two per KB or part of a KB of an item", () => {
    expect(sizes(30, 20 * 1_024, 1)).toEqual([12, 12, 6]);
    expect(sizes(30, 20 * 1_024 + 1, 1)).toEqual([11, 11, 8]);
    expect(sizes(24, 20 * 1_024, 2)).toEqual([24]);
  });

  test("one item that exceeds the units, and nothing else of its partition", () => {
    expect(sizes(3, 399 * 1_024, 1)).toEqual([1, 1, 1]);
    expect([...packWrites([put(399 * 1_024, "list", "0"), put(100, "other", "1")])]).toHaveLength(1);
  });
});

test("an item that replaces a larger one counts as the larger one", () => {
  const size = new TransactionSize();
  expect(size.add([put(100, "list", "0")], { replaced: 200 * 1_024 })).toBe(true);
  expect([size.items, size.bytes, size.units]).toEqual([1, 200 * 1_024, 400]);
  expect(size.add([put(100, "list", "1")], { replaced: 60 * 1_024 })).toBe(false);
  expect(size.add([put(100, "list", "1")], { replaced: 60 * 1_024, isRequired: true })).toBe(true);
  expect([size.items, size.units]).toEqual([2, 520]);
});
