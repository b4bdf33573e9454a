import { expect, test } from "vitest";
import { type ReceiptPage, readWindow } from "../../../../shared/pos/metrc/readWindow.ts";

const row = (id: number) => ({ Id: id, SalesDateTime: "2026-03-10T12:00:00", TotalPrice: 1 });

/** A list of receipts in this process. `before` is called before each page. */
class List {
  ids = Array.from({ length: 170 }, (_, index) => index + 1);
  readonly numbers: number[] = [];
  present = 0;
  most = 0;
  before: () => void = () => undefined;

  readonly read = async (number: number): Promise<ReceiptPage> => {
    this.most = Math.max(this.most, ++this.present);
    await Promise.resolve();
    this.before();
    this.numbers.push(number);
    const rows = this.ids.slice((number - 1) * 20, number * 20).map(row);
    const { length } = this.ids;
    await Promise.resolve();
    this.present--;
    return { rows, total: length };
  };
}

test("pages are read from the last one to the first, at most four at the same time", async () => {
  const list = new List();
  expect(await readWindow(list.read, true)).toMatchObject({ count: 170, isProven: true });
  expect(list.numbers).toEqual([1, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(list.most).toBe(4);
});

test("no receipt that stays is missed if others leave before the pages that are read together", async () => {
  const list = new List();
  list.before = () => {
    if (list.numbers.length > 1 && list.numbers.length % 4 === 1) list.ids.shift();
  };
  const { receipts, isProven } = await readWindow(list.read, true);
  expect(list.ids).toHaveLength(168);
  expect(isProven).toBe(true);
  expect(list.ids.filter((id) => !receipts.has(id))).toEqual([]);
});

test("a window whose receipts never stand still is not proven", async () => {
  const list = new List();
  list.before = () => list.ids.unshift(1_000 + list.ids.length);
  expect((await readWindow(list.read, false)).isProven).toBe(false);
});

test("a window that states more receipts than it returns is not proven", async () => {
  const read = async (number: number) => ({ rows: number === 1 ? [row(1)] : [], total: 2 });
  expect(await readWindow(read, true)).toMatchObject({ count: 1, isProven: false });
});

test("shorter pages than requested are read to their end", async () => {
  const ids = Array.from({ length: 35 }, (_, index) => index + 1);
  const read = async (number: number) => ({ rows: ids.slice((number - 1) * 10, number * 10).map(row), total: 35 });
  expect(await readWindow(read, true)).toMatchObject({ count: 35, isProven: true });
});

test("a list without a total that returns all rows for each page number is read once, and once more as the proof", async () => {
  const numbers: number[] = [];
  const read = async (number: number) => {
    numbers.push(number);
    return { rows: Array.from({ length: 50 }, (_, index) => row(index)), total: null };
  };
  expect(await readWindow(read, true)).toMatchObject({ count: 50, isProven: true });
  expect(numbers).toEqual([1, 2, 1, 2]);
});
