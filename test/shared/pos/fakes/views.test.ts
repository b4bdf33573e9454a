import { expect, test } from "vitest";
import { Shop, type ShopCustomer, smallSize } from "./shop.ts";
import { Views } from "./views.ts";

interface Row {
  number: number;
}

/** Two rows, and the number of times that they were sorted. */
function watchedRows() {
  const views = new Views();
  const rows = views.watch([3, 1].map((number): Row => views.watch({ number })));
  let countViews = 0;
  const sorted = (key = "") =>
    views.of("sorted", key, () => {
      countViews++;
      return rows.toSorted((a, b) => a.number - b.number);
    });
  return { rows, sorted, made: () => countViews, numbers: () => sorted().map(({ number }) => number) };
}

test("a view is kept while no field is set", () => {
  const { sorted, made: countViews, rows } = watchedRows();
  const first = sorted();
  expect(rows.filter(({ number }) => number > 1)).toHaveLength(1);
  expect(sorted()).toBe(first);
  expect(countViews()).toBe(1);
});

test("only the last key of each name is kept", () => {
  const { sorted, made: countViews } = watchedRows();
  for (const key of ["a", "b", "a"]) sorted(key);
  expect(countViews()).toBe(3);
});

test.each<[string, (rows: Row[]) => void, number[]]>([
  ["a row's field", ([row]) => row && Object.assign(row, { number: 0 }), [0, 1]],
  ["another row in its place", (rows) => rows.splice(0, 1, { number: 5 }), [1, 5]],
  ["one more row", (rows) => rows.push({ number: 2 }), [1, 2, 3]],
  ["one row less", (rows) => rows.pop(), [3]],
])("%s leads to a new view", (_, change, expected) => {
  const { rows, numbers } = watchedRows();
  expect(numbers()).toEqual([1, 3]);
  change(rows);
  expect(numbers()).toEqual(expected);
});

test("a shop watches all its lists and their rows", () => {
  const shop = new Shop(1, smallSize, () => new Date("2026-03-10T19:30:00.000Z"));
  const count = () => shop.views.of("rows", "", () => ({ sum: 0 }));
  const lists = [shop.customers, shop.products, shop.packages, shop.sales];
  for (const row of lists.map(([first]) => first as ShopCustomer)) {
    const before = count();
    row.changedAt++;
    expect(count()).not.toBe(before);
  }
  for (const list of [...lists, shop.removed] as unknown[][]) {
    const before = count();
    list.push(list[0]);
    expect(count()).not.toBe(before);
  }
});
