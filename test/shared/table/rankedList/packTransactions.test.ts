import { describe, expect, test } from "vitest";
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

const element = (id: number, more: { ids?: string[]; bytes?: number; group?: string } = {}) => ({
  id,
  cost: { ids: [`r${id}`], bytes: 100, group: "", ...more },
});
const batchesOf = (elements: ReturnType<typeof element>[]) =>
  packTransactions(elements, ({ cost }) => cost).map((batch) => batch.map(({ id }) => id));
const sizes = (elements: ReturnType<typeof element>[]) => batchesOf(elements).map(({ length }) => length);
const many = (count: number, more = {}) => Array.from({ length: count }, (_, id) => element(id, more));

describe("what fits into a transaction", () => {
  test("88 items", () => {
    expect(sizes(many(88))).toEqual([88]);
    expect(sizes(many(200))).toEqual([88, 88, 24]);
  });

  test("of which one that several elements touch counts once", () => {
    const sharing = many(100).map(({ id }) => element(id, { ids: [`r${id}`, "bitmap"] }));
    expect(sizes(sharing)).toEqual([87, 13]);
  });

  test("3.5 MB", () => {
    expect(sizes(many(8, { bytes: 1024 ** 2 / 2 }))).toEqual([7, 1]);
  });
});

test("groups come together, in their order, and elements of one keep theirs", () => {
  const groups = ["b", "a", "c", "b", "a", ""];
  expect(batchesOf(groups.map((group, id) => element(id, { group })))).toEqual([[5, 1, 4, 0, 3, 2]]);
});
