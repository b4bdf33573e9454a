import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  continueTraversal,
  type PageTraversal,
  readFromStart,
} from "../../../../shared/pos/framework/pageTraversal.ts";
import { traverseRows } from "../../../../shared/pos/framework/rowTraversal.ts";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";

/**
 * A list under a test's control, paged by number; `before` each page it may change.
 *
 * @param repeats whether any page beyond the end is the last one again
 */
async function walked(
  list: number[],
  size: number,
  before: (page: number) => void = () => undefined,
  most = size,
  countsRows = false,
  repeats = false,
) {
  const found = new Set<number>();
  let requests = 0;
  let walk: PageTraversal | null = readFromStart(size);
  while (walk) {
    const step: Awaited<ReturnType<typeof continueTraversal>> = await (countsRows ? traverseRows : continueTraversal)(
      walk,
      async (index, asked) => {
        before(requests);
        requests++;
        const rows = Math.min(asked, most);
        const lastPage = Math.max(0, Math.ceil(list.length / rows) - 1);
        const start = countsRows ? index : (repeats ? Math.min(index, lastPage) : index) * rows;
        return { rows: list.slice(start, start + rows), isLast: !repeats && start >= list.length };
      },
      String,
    );
    for (const row of step.rows) found.add(row as number);
    // A position is kept as text between two pages.
    walk = JSON.parse(JSON.stringify(step.next));
    expect(requests).toBeLessThan(10_000);
  }
  return { found, requests };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each([0, 1, 9, 10, 11, 20, 95])("brings all of a list of %i that stands still", async (count) => {
  expect([...(await walked(numbers(count), 10)).found]).toEqual(numbers(count));
});

test.each([
  [70, 15],
  [65, 15],
  [61, 15],
])("a list of %i in pages of 10, ended by an empty one, takes %i requests: no page twice", async (count, most) => {
  // Each page but the first is joined to the one before, the empty one too.
  expect((await walked(numbers(count), 10)).requests).toBe(most);
});

test("a last row that is gone before the end is reached makes it go back", async () => {
  const list = numbers(65);
  const { found } = await walked(list, 10, (page) => {
    if (page === 13) list.splice(0, 5);
  });
  expect([...found]).toEqual(numbers(65));
});

test.each([0, 1, 2, 3, 9, 10, 11, 20, 21, 95])(
  "a POS that gives its last page again beyond the end comes to an end with all of %i",
  async (count) => {
    for (const most of [10, 4, 1]) {
      const { found, requests } = await walked(numbers(count), 10, undefined, most, false, true);
      expect([...found]).toEqual(numbers(count));
      // Each page but the first is joined to the one before, and one more comes, which is the last one again.
      const pages = Math.ceil(count / most);
      expect(requests).toBe(count === 0 ? 1 : 2 * pages + 1);
    }
  },
);

test.each([11, 20, 25, 95])(
  "so does one that heeds no size either, of %i: its first page is another one",
  async (count) => {
    const found = new Set<unknown>();
    let requests = 0;
    for (let walk: PageTraversal | null = readFromStart(10); walk; ) {
      const step: Awaited<ReturnType<typeof continueTraversal>> = await continueTraversal(
        walk,
        async (index) => {
          expect(requests++).toBeLessThan(300);
          const start = Math.min(index, Math.ceil(count / 10) - 1) * 10;
          return { rows: numbers(count).slice(start, start + 10), isLast: false };
        },
        String,
      );
      for (const row of step.rows) found.add(row);
      walk = step.next;
    }
    expect([...found].sort()).toEqual(numbers(count).sort());
  },
);

test("rows that nothing tells apart end no list", async () => {
  let pages = 0;
  const fetch = async () => ({ rows: [{}, {}, {}, {}], isLast: ++pages > 8 });
  let read = 0;
  for (let walk: PageTraversal | null = readFromStart(4); walk; ) {
    const step: Awaited<ReturnType<typeof continueTraversal>> = await continueTraversal(walk, fetch, () => "");
    read += step.rows.length;
    walk = step.next;
  }
  expect(read).toBeGreaterThan(12);
});

test("a POS may give shorter pages than it was asked for", async () => {
  expect([...(await walked(numbers(95), 10, undefined, 4)).found]).toEqual(numbers(95));
});

test.each([
  ["nothing beyond the end", false, false],
  ["nothing beyond the end, rows counted", true, false],
  ["the last page beyond the end", false, true],
])(
  "records that leave their place, to the end or for good, make it miss none that stays (%s)",
  async (_, countsRows, repeats) => {
    const moves = fc.array(fc.record({ at: fc.nat(40), from: fc.nat(99), gone: fc.boolean() }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 4, max: 9 }), moves, async (count, size, moves) => {
        const list = numbers(count);
        const touched = new Set<number>();
        await walked(
          list,
          size,
          (request) => {
            for (const { from, gone } of moves.filter(({ at }) => at === request)) {
              const [moved] = list.splice(from % Math.max(1, list.length), 1);
              if (moved === undefined) continue;
              touched.add(moved);
              if (!gone) list.push(moved);
            }
          },
          size,
          countsRows,
          repeats,
        ).then(({ found }) => {
          for (const number of numbers(count)) if (!touched.has(number)) expect(found.has(number)).toBe(true);
        });
      }),
      { numRuns: 400 },
    );
  },
);

test.each([0, 1, 3, 4, 9, 10, 11, 20, 95])(
  "a list of %i is read by counting rows, short pages or not",
  async (count) => {
    for (const most of [4, 10]) {
      expect([...(await walked(numbers(count), 10, undefined, most, true)).found]).toEqual(numbers(count));
    }
  },
);

test("a POS that knows no pages comes to an end", async () => {
  let walk: PageTraversal | null = readFromStart(10);
  for (let pages = 0; walk; pages++) {
    expect(pages).toBeLessThan(10);
    ({ next: walk } = await traverseRows(walk, async () => ({ rows: numbers(7), isLast: false }), String));
  }
});

test.each([false, true])(
  "a POS that gives the same page for each number (size %s heeded) is not understood",
  async (heeds) => {
    let requests = 0;
    const walk = async () => {
      for (let walk: PageTraversal | null = readFromStart(10); walk; ) {
        ({ next: walk } = await continueTraversal(
          walk,
          async (_, size) => {
            expect(requests++).toBeLessThan(50);
            return { rows: numbers(heeds ? size : 10), isLast: false };
          },
          String,
        ));
      }
    };
    await expect(walk()).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
  },
);

test("a list that never stands still is given up", async () => {
  const list = numbers(40);
  const walk = walked(list, 10, () => list.push(list.shift() as number));
  await expect(walk).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
});

test("a POS that does not give the row before a page does not keep it forever", async () => {
  const found = new Set<unknown>();
  let requests = 0;
  for (let walk: PageTraversal | null = readFromStart(10); walk; ) {
    const fetchPage = async (index: number, asked: number) => {
      expect(requests++).toBeLessThan(100);
      const rows = asked === 1 ? [] : numbers(40).slice(index * 10, index * 10 + 10);
      return { rows, isLast: index >= 4 };
    };
    const step: Awaited<ReturnType<typeof continueTraversal>> = await continueTraversal(walk, fetchPage, String);
    for (const row of step.rows) found.add(row);
    walk = step.next;
  }
  expect([...found]).toEqual(numbers(40));
});

test("a list of two pages in random order fails, and brings all once it stands still", async () => {
  const chance = dice("two pages", 1);
  let list = numbers(60);
  let isCalm = false;
  const fetchPage = async (index: number, asked: number) => {
    if (!isCalm) list = list.toSorted(() => chance.between(0, 1) - 0.5);
    return { rows: list.slice(index * asked, index * asked + asked), isLast: index * asked >= 60 };
  };
  let walk: PageTraversal | null = readFromStart(50);
  const read = async () => {
    while (walk) walk = (await continueTraversal(walk, fetchPage, String)).next;
  };
  await expect(read()).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
  isCalm = true;
  await read();
  expect(walk).toBe(null);
});

describe("a list in random order", () => {
  const chance = dice("random order", 1);
  const shuffled = (count: number) => numbers(count).sort(() => chance.between(0, 1) - 0.5);

  test.each([
    [40, 10],
    [2_000, 10],
    [100_000, 250],
  ])("of %i rows in pages of %i fails after a bounded number of requests", async (count, size) => {
    for (const traversePages of [continueTraversal, traverseRows]) {
      let requests = 0;
      const fetchPage = async (index: number, length: number) => {
        requests++;
        const start = chance.between(0, count - length);
        return {
          rows:
            traversePages === continueTraversal && length === 1 ? [start] : shuffled(length).map((row) => row + start),
          isLast: index > count,
        };
      };
      const read = async () => {
        for (let walk: PageTraversal | null = readFromStart(size); walk; ) {
          walk = JSON.parse(JSON.stringify((await traversePages(walk, fetchPage, String)).next));
        }
      };
      await expect(read()).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
      expect(requests).toBeLessThan(300);
    }
  });
});
