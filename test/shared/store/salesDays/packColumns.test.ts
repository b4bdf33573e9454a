import fc from "fast-check";
import { expect, test } from "vitest";
import { packColumns, unpackColumns } from "../../../../shared/store/salesDays/packColumns.ts";

const number = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -(2 ** 52), max: 2 ** 52 }));
const rows = fc.array(fc.array(number, { maxLength: 50 }), { maxLength: 7 });

function withoutZerosAtEnd(row: readonly number[]): number[] {
  return row.slice(0, row.findLastIndex((value) => value !== 0) + 1);
}

test("packed rows are read back, apart from the zeros at their end", () => {
  fc.assert(
    fc.property(rows, (given) => {
      const read = unpackColumns(packColumns(given), given.length);
      expect(read.map(withoutZerosAtEnd)).toEqual(given.map(withoutZerosAtEnd));
    }),
  );
});

test("a column takes the width of its widest number, and six bits", () => {
  const amounts = [4_193_031, 4_012_345, 3_999_999, 3_765_432, 4_100_000, 3_888_888, 4_000_001];
  expect(packColumns(amounts.map((amount) => [amount]))).toHaveLength(Math.ceil((6 + 7 * 23) / 8));
});
