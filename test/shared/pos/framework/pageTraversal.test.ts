import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  continueTraversal,
  type FetchPage,
  type PageTraversal,
  readFromStart,
} from "../../../../shared/pos/framework/pageTraversal.ts";
import { traverseRows } from "../../../../shared/pos/framework/rowTraversal.ts";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";

type Traverse = typeof continueTraversal;

/** Reads a list to its end. A position is stored as text between two pages. */
async function readList(
  size: number,
  fetch: FetchPage,
  { by = continueTraversal as Traverse, idOf = String as (row: unknown) => string } = {},
) {
  const rows: unknown[] = [];
  let requests = 0;
  const counted: FetchPage = (index, pageSize) => {
    expect(requests++).toBeLessThan(10_000);
    return fetch(index, pageSize);
  };
  for (let traversal: PageTraversal | null = readFromStart(size); traversal; ) {
    const step: Awaited<ReturnType<Traverse>> = await by(traversal, counted, idOf);
    rows.push(...step.rows);
    traversal = JSON.parse(JSON.stringify(step.next));
  }
  return { rows, found: new Set(rows), requests };
}

/**
 * Reads a list that a test controls. `before` may change the list before each page.
 * @param repeats whether pages beyond the end repeat the last one
 */
function traverse(
  list: number[],
  size: number,
  { before = (_page: number) => {}, maxRows = size, countsRows = false, repeats = false } = {},
) {
  let requests = 0;
  const fetch: FetchPage = async (index, pageSize) => {
    before(requests++);
    const rows = Math.min(pageSize, maxRows);
    const lastPage = Math.max(0, Math.ceil(list.length / rows) - 1);
    const start = countsRows ? index : (repeats ? Math.min(index, lastPage) : index) * rows;
    return { rows: list.slice(start, start + rows), isLast: !repeats && start >= list.length };
  };
  return readList(size, fetch, { by: countsRows ? traverseRows : continueTraversal });
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each([0, 1, 9, 10, 11, 20, 95])("all rows of an unchanging list of %i are read", async (count) => {
  expect([...(await traverse(numbers(count), 10)).found]).toEqual(numbers(count));
});

test.each([
  [70, 15],
  [65, 15],
  [61, 15],
])(
  "a list of %i in pages of 10, ended by an empty page, takes %i requests, and no page is read twice",
  async (count, maxRows) => {
    // Each page except the first is joined to the one before, and so is the empty page.
    expect((await traverse(numbers(count), 10)).requests).toBe(maxRows);
  },
);

test("the traversal goes back if the last row is removed before the end is reached", async () => {
  const list = numbers(65);
  const before = (page: number) => {
    if (page === 13) list.splice(0, 5);
  };
  const { found } = await traverse(list, 10, { before });
  expect([...found]).toEqual(numbers(65));
});

test.each([0, 1, 2, 3, 9, 10, 11, 20, 21, 95])(
  "a list that repeats its last page beyond the end is read completely, with %i rows",
  async (count) => {
    for (const maxRows of [10, 4, 1]) {
      const { found, requests } = await traverse(numbers(count), 10, { maxRows, repeats: true });
      expect([...found]).toEqual(numbers(count));
      // Each page except the first is joined to the one before, and one more is requested, which repeats the last one.
      const pages = Math.ceil(count / maxRows);
      expect(requests).toBe(count === 0 ? 1 : 2 * pages + 1);
    }
  },
);

test.each([11, 20, 25, 95])(
  "so is one that also ignores the page size, with %i rows, if its first page differs from the last",
  async (count) => {
    const { found, requests } = await readList(10, async (index) => {
      const start = Math.min(index, Math.ceil(count / 10) - 1) * 10;
      return { rows: numbers(count).slice(start, start + 10), isLast: false };
    });
    expect(requests).toBeLessThan(300);
    expect([...found].sort()).toEqual(numbers(count).sort());
  },
);

test.each([
  ["two rows with one id", ["a", "b", "c", "c", "d", "e", "f", "g"], 100],
  ["two rows without an id", [..."abcdefghijkl", "", "m", "", "n", "o", "p"], 10],
])("a list that repeats its last page ends, with %s in it", async (_, list, size) => {
  const { found, requests } = await readList(size as number, async (index, pageSize) => {
    const start = Math.min(index, Math.ceil(list.length / pageSize) - 1) * pageSize;
    return { rows: list.slice(start, start + pageSize), isLast: false };
  });
  expect(requests).toBeLessThan(20);
  expect([...found]).toEqual([...new Set(list)]);
});

test("indistinguishable rows do not end a list", async () => {
  let pages = 0;
  const fetch = async () => ({ rows: [{}, {}, {}, {}], isLast: ++pages > 8 });
  expect((await readList(4, fetch, { idOf: () => "" })).rows.length).toBeGreaterThan(12);
});

test("pages may be shorter than requested", async () => {
  expect([...(await traverse(numbers(95), 10, { maxRows: 4 })).found]).toEqual(numbers(95));
});

describe.each([
  ["empty pages after the end", false, false],
  ["empty pages after the end, rows counted", true, false],
  ["the last page is repeated beyond the end", false, true],
])("no row that stays is missed (%s)", (_, countsRows, repeats) => {
  const moves = fc.array(fc.record({ at: fc.nat(40), from: fc.nat(99), goes: fc.boolean() }), { maxLength: 6 });

  test.each([
    ["changed rows move to the end, and rows are removed", "last"],
    ["new and changed rows come first", "first"],
  ])("if %s", async (_, place) => {
    const size = fc.integer({ min: countsRows ? 8 : 4, max: 9 });
    await fc.assert(
      fc.asyncProperty(fc.nat(60), size, moves, async (count, size, moves) => {
        const list = numbers(count);
        const touched = new Set<number>();
        const before = (request: number) => {
          for (const { from, goes } of moves.filter(({ at }) => at === request)) {
            const isNew = place === "first" && goes;
            const [moved] = isNew ? [] : list.splice(from % Math.max(1, list.length), 1);
            if (moved !== undefined) touched.add(moved);
            if (isNew) list.unshift(1_000 + list.length);
            else if (moved !== undefined && place === "first") list.unshift(moved);
            else if (moved !== undefined && !goes) list.push(moved);
          }
        };
        const { found } = await traverse(list, size, { before, countsRows, repeats });
        expect(numbers(count).filter((number) => !touched.has(number) && !found.has(number))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

test.each([0, 1, 3, 4, 9, 10, 11, 20, 95])(
  "a list of %i is read by counting rows, with short pages or not",
  async (count) => {
    for (const maxRows of [4, 10]) {
      const { found } = await traverse(numbers(count), 10, { maxRows, countsRows: true });
      expect([...found]).toEqual(numbers(count));
    }
  },
);

test("a list without pages comes to an end", async () => {
  const pages = async () => ({ rows: numbers(7), isLast: false });
  const { found, requests } = await readList(10, pages, { by: traverseRows });
  expect([...found]).toEqual(numbers(7));
  expect(requests).toBeLessThan(10);
});

test.each([false, true])(
  "a list with the same page for each number (size respected: %s) is not understood",
  async (isSizeRespected) => {
    let requests = 0;
    const reading = readList(10, async (_, size) => {
      expect(requests++).toBeLessThan(50);
      return { rows: numbers(isSizeRespected ? size : 10), isLast: false };
    });
    await expect(reading).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
  },
);

test("a list that always changes is given up", async () => {
  const list = numbers(40);
  const traversal = traverse(list, 10, { before: () => void list.push(list.shift() as number) });
  await expect(traversal).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
});

test("the last row of a page may move to the end and up again, and no row that stays is missed", async () => {
  const list = numbers(57);
  const before = (request: number) => {
    // Before the last page, the row 55, read last, moves behind the only row left. Then the first row moves to the end.
    if (request === 15) list.push(...list.splice(55, 1), ...list.splice(0, 1));
  };
  const { found } = await traverse(list, 7, { before });
  expect(numbers(57).filter((number) => !found.has(number))).toEqual([]);
});

test("two of the last rows that move to the end do not join a page by rows, and no row that stays is missed", async () => {
  const list = numbers(80);
  const before = (request: number) => {
    if (request === 1) for (const row of [2, 3, 48, 49]) list.push(...list.splice(list.indexOf(row), 1));
  };
  const { found } = await traverse(list, 50, { before, countsRows: true });
  expect(numbers(80).filter((row) => !found.has(row))).toEqual([]);
});

test("a list whose new rows come first is read with few repetitions", async () => {
  const list = numbers(600);
  let added = 0;
  const before = (request: number) => {
    if (request % 12 === 0) list.unshift(--added, --added);
  };
  const { found, requests } = await traverse(list, 10, { before });
  expect(numbers(600).filter((row) => !found.has(row))).toEqual([]);
  expect(requests / (list.length / 10)).toBeLessThan(3);
});

test("no row that stays is missed if a list shifts down, and most of it is removed before the next request", async () => {
  const list = numbers(100);
  const before = (request: number) => {
    // The page 5 and its check take the requests 9 and 10.
    if (request === 9) list.unshift(1_000);
    if (request === 11) list.splice(1, 62);
  };
  const { found } = await traverse(list, 10, { before });
  expect(numbers(100).filter((row) => row >= 62 && !found.has(row))).toEqual([]);
});

test("the traversal ends even if the rows before a page cannot be read", async () => {
  const { found, requests } = await readList(10, async (index, pageSize) => {
    const rows = pageSize < 10 ? [] : numbers(40).slice(index * 10, index * 10 + 10);
    return { rows, isLast: index >= 4 };
  });
  expect(requests).toBeLessThan(100);
  expect([...found]).toEqual(numbers(40));
});

test("a list of two pages in random order fails, and is read completely once it does not change", async () => {
  const chance = dice("two pages", 1);
  let list = numbers(60);
  let isStable = false;
  const fetchPage = async (index: number, pageSize: number) => {
    if (!isStable) list = list.toSorted(() => chance.between(0, 1) - 0.5);
    return { rows: list.slice(index * pageSize, index * pageSize + pageSize), isLast: index * pageSize >= 60 };
  };
  let traversal: PageTraversal | null = readFromStart(50);
  const read = async () => {
    while (traversal) traversal = (await continueTraversal(traversal, fetchPage, String)).next;
  };
  await expect(read()).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
  isStable = true;
  await read();
  expect(traversal).toBe(null);
});

describe("a list in random order", () => {
  const chance = dice("random order", 1);
  const shuffled = (count: number) => numbers(count).sort(() => chance.between(0, 1) - 0.5);

  test.each([
    [40, 10],
    [2_000, 10],
    [100_000, 250],
  ])("with %i rows in pages of %i fails after a bounded number of requests", async (count, size) => {
    for (const by of [continueTraversal, traverseRows]) {
      let requests = 0;
      const reading = readList(
        size,
        async (index, length) => {
          expect(requests++).toBeLessThan(300);
          const start = chance.between(0, count - length);
          return { rows: shuffled(length).map((row) => row + start), isLast: index > count };
        },
        { by },
      );
      await expect(reading).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
    }
  });
});
