import { expect, test } from "vitest";
import { packTransactions } from "../../../../shared/table/rankedList/packTransactions.ts";

/** So many elements of each group, each with an item of its own and one that its group shares. */
const elementsOf = (groups: Record<string, number>) =>
  Object.entries(groups).flatMap(([group, length]) =>
    Array.from({ length }, (_, i) => ({ group, id: `${group}${i}` })),
  );

/** Of each batch, the groups that meet in it. */
const packed = (groups: Record<string, number>) =>
  packTransactions(elementsOf(groups), ({ group, id }) => ({ ids: [id, group], bytes: 1_000, group })).map((batch) =>
    [...new Set(batch.map((element) => element.group))].join(),
  );

test("records of two chapters have transactions of their own, beside new ones, which belong to none", () => {
  expect(packed({ b: 100, a: 5 })).toEqual(["a", "b", "b"]);
  expect(packed({ "": 5, a: 5, b: 5 })).toEqual([",a", "b"]);
});

test("records of many chapters share transactions: one for each would be far more", () => {
  expect(packed({ a: 5, b: 5, c: 5, d: 5 })).toEqual(["a,b,c,d"]);
});
