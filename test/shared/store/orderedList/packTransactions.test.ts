import { describe, expect, test } from "vitest";
import { packTransactions } from "../../../../shared/store/orderedList/packTransactions.ts";
import type { SizedItem } from "../../../../shared/store/transactionSize.ts";

/** Small items, each in a partition of its own. */
const itemsOf = (ids: readonly string[]): SizedItem[] => ids.map((pk) => ({ key: { pk, sk: "" }, bytes: 0 }));

/** The given number of elements per group. Each has an item of its own and one that its group shares. */
const elementsOf = (groups: Record<string, number>) =>
  Object.entries(groups).flatMap(([group, length]) =>
    Array.from({ length }, (_, i) => ({ group, id: `${group}${i}` })),
  );

/** The groups in each batch. */
const packed = (groups: Record<string, number>) =>
  [...packTransactions(elementsOf(groups), ({ group, id }) => ({ items: itemsOf([id, group]), group }))].map(
    ({ elements }) => [...new Set(elements.map((element) => element.group))].join(),
  );

test("records of two segments have their own transactions, and new records, which have no segment, fill up the first", () => {
  expect(packed({ b: 100, a: 5 })).toEqual(["a", "b", "b"]);
  expect(packed({ "": 5, a: 5, b: 5 })).toEqual([",a", "b"]);
});

test("records of many segments share transactions, because there would be too many otherwise", () => {
  expect(packed({ a: 5, b: 5, c: 5, d: 5 })).toEqual(["a,b,c,d"]);
});

const element = (id: number, cost: { items?: SizedItem[]; group?: string } = {}) => ({
  id,
  cost: { items: itemsOf([`r${id}`]), group: "", ...cost },
});
const batchesOf = (elements: ReturnType<typeof element>[], maxUnits?: () => number) => [
  ...packTransactions(elements, ({ cost }) => cost, maxUnits),
];
const idsOf = (elements: ReturnType<typeof element>[]) =>
  batchesOf(elements).map((batch) => batch.elements.map(({ id }) => id));
const sizes = (elements: ReturnType<typeof element>[], maxUnits?: () => number) =>
  batchesOf(elements, maxUnits).map((batch) => batch.elements.length);
const many = (count: number, itemsOfId = (id: number) => itemsOf([`r${id}`])) =>
  Array.from({ length: count }, (_, id) => element(id, { items: itemsOfId(id) }));
const kilobytes = (count: number, pk: string, sk = "") => ({ key: { pk, sk }, bytes: count * 1_024 });

describe("a transaction has room for", () => {
  test("88 items", () => {
    expect(sizes(many(88))).toEqual([88]);
    expect(sizes(many(200))).toEqual([88, 88, 24]);
  });

  test("88 items, with an item of several elements counted once", () => {
    const sharing = many(100, (id) => itemsOf([`r${id}`, "bitmap"]));
    expect(sizes(sharing)).toEqual([87, 13]);
  });

  test("3.5 MB, of many partitions", () => {
    expect(sizes(many(20, (id) => [kilobytes(250, `r${id}`)]))).toEqual([14, 6]);
  });

  test("500 write units of one partition, with two per KB or part of a KB of an item", () => {
    expect(sizes(many(60, (id) => [kilobytes(20, "list", `${id}`)]))).toEqual([12, 12, 12, 12, 12]);
    expect(sizes(many(60, (id) => [kilobytes(20.1, "list", `${id}`)]))).toEqual([11, 11, 11, 11, 11, 5]);
    expect(sizes(many(24, (id) => [kilobytes(20, `list ${id % 2}`, `${id}`)]))).toEqual([24]);
  });

  test("one element that exceeds the units, and nothing else of its partition", () => {
    expect(sizes(many(3, (id) => [kilobytes(399, "list", `${id}`)]))).toEqual([1, 1, 1]);
    const elements = [element(0, { items: [kilobytes(399, "list", "0")] }), element(1)];
    expect(sizes(elements)).toEqual([2]);
  });
});

test("each transaction uses the units that are allowed when it is packed", () => {
  const allowedUnits = [8, 4, 100];
  const elements = many(20, (id) => [kilobytes(1, "list", `${id}`)]);
  expect(batchesOf(elements, () => allowedUnits.shift() ?? 0).map(({ units }) => units)).toEqual([8, 4, 28]);
});

test("groups are kept together and in order, and so are the elements of a group", () => {
  const groups = ["b", "a", "c", "b", "a", ""];
  expect(idsOf(groups.map((group, id) => element(id, { group })))).toEqual([[5, 1, 4, 0, 3, 2]]);
});
