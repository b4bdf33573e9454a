import { expect, test } from "vitest";
import { historyUpTo, readNextDayPage } from "../../../../shared/pos/framework/dayTraversal.ts";
import {
  type ListPage,
  type PagedList,
  readAllPages,
  readListPage,
} from "../../../../shared/pos/framework/pagedList.ts";

const rows = Array.from({ length: 25 }, (_, id) => ({ id }));
const request = { kind: "product", since: null, now: new Date("2026-03-10T12:00:00.000Z") } as const;

test.each([true, false])(
  "an empty page in the middle of a list does not end it (requested by rows: %s)",
  async (countsRows) => {
    let requests = 0;
    const list = {
      size: 10,
      fullEveryDays: null,
      idField: "id",
      countsRows,
      fetch: async (_: Date | null, index: number, size: number) => {
        requests++;
        const start = countsRows ? index : index * size;
        const isEmptied = requests > 1 && size > 1;
        return { rows: isEmptied ? [] : rows.slice(start, start + size), isLast: false, total: rows.length };
      },
    };
    const first = await readListPage({ ...request, position: null }, null, list);
    const { position } = first.next as { position: string };
    await expect(readListPage({ ...request, position }, null, list)).rejects.toMatchObject({
      failure: "notUnderstood",
      code: "page",
    });
  },
);

test.each([true, false])(
  "an empty page before the reported total does not end a list of days (requested by rows: %s)",
  async (countsRows) => {
    const list = {
      windowDays: 30,
      idField: "id",
      countsRows,
      fetch: async () => ({ rows: [], isLast: true, total: 25 }),
    };
    const read = readNextDayPage(list, historyUpTo("2026-03-10", 10), 365);
    await expect(read).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
  },
);

/** Whether all pages of the list are complete together, if its pages are changed. */
function areComplete(change: (page: ListPage, request: number) => ListPage): Promise<boolean> {
  let requests = 0;
  const list: PagedList = {
    ...{ size: 10, fullEveryDays: 0, idField: "id" },
    fetch: async (_, index, size) => {
      const start = index * size;
      const page = { rows: rows.slice(start, start + size), isLast: start >= rows.length, total: rows.length };
      return change(page, ++requests);
    },
  };
  return readAllPages({ request: { ...request, position: null }, date: null }, list, () => {});
}

const inPlaceOf = (replaced: number, by: number) => (page: ListPage) => ({
  ...page,
  rows: page.rows.map((row) => ((row as { id: number }).id === replaced ? rows[by] : row)),
});

test.each<[string, boolean, (page: ListPage, request: number) => ListPage]>([
  ["has as many rows as it reports", true, (page) => page],
  ["reports more rows than it has", false, (page) => ({ ...page, total: 26 })],
  ["reports no number of rows", false, (page) => ({ ...page, total: null })],
  ["reports another number on a later page", false, (page, request) => ({ ...page, total: request === 2 ? 26 : 25 })],
  ["has a row twice in a page, in the place of another", false, inPlaceOf(5, 4)],
  ["has a row twice in two pages, in the place of another", false, inPlaceOf(15, 4)],
])("a list that %s is complete: %s", async (_, complete, change) => {
  expect(await areComplete(change)).toBe(complete);
});
