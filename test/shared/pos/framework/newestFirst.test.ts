import { expect, test } from "vitest";
import * as z from "zod";
import type { PullPage } from "../../../../shared/pos/connector.ts";
import { newestFirstPage } from "../../../../shared/pos/framework/newestFirst.ts";
import { id, instant } from "../../../../shared/pos/framework/wireFields.ts";
import { emptyProduct } from "../../../../shared/pos/posRecords.ts";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
const row = (at: number) => ({ id: at, date: new Date(now.getTime() - at * 60_000).toISOString() });

/** Reads a list to its end. `after` returns the rows behind an id, which is a number of minutes before now. */
async function readList(after: (id: number) => { id: number; date: string }[]) {
  const found = new Set<string>();
  let requests = 0;
  for (let position: string | null = null; ; ) {
    const list = {
      from: null,
      idField: "id",
      dateField: "date",
      fetch: async (last: string | null) => {
        requests++;
        return after(last === null ? 0 : Number(last) + 1);
      },
      reader: {
        schema: z.object({ id, date: instant }),
        posIdOf: () => null,
        make: ({ id }: { id: string }) => [{ ...emptyProduct, pos_product_id: id, name: "" }],
      },
    };
    const request = { kind: "product", since: null, position, now } as const;
    const page: PullPage<"product"> = await newestFirstPage({ request, date: null }, () => [list]);
    for (const { pos_product_id } of page.records) found.add(pos_product_id);
    if ("watermark" in page.next) return { found, requests };
    position = page.next.position;
  }
}

test("a list that is ordered by date is read to its end", async () => {
  const all = Array.from({ length: 500 }, (_, at) => row(at));
  const { found } = await readList((from) => all.slice(from, from + 10));
  expect(found.size).toBe(500);
});

test("rows that move to the front while a list is read do not end it", async () => {
  const all = Array.from({ length: 500 }, (_, at) => row(at));
  let requests = 0;
  const { found } = await readList((from) => {
    const start = ++requests % 12 === 0 ? 0 : from;
    return all.slice(start, start + 50);
  });
  expect(found.size).toBe(500);
});

test("a short list in random order fails before it seems to end", async () => {
  const chance = dice("short list", 2);
  const all = Array.from({ length: 100 }, (_, at) => row(at));
  const read = readList(() => {
    const start = chance.between(0, 99);
    return all.slice(start, start + 5);
  });
  await expect(read).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
});

test("a list of one page in random order fails, because the next one may be longer", async () => {
  const chance = dice("one page", 1);
  const read = readList((from) =>
    from > 0 ? [] : Array.from({ length: 40 }, () => row(chance.between(1, 1_000_000))),
  );
  await expect(read).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
});

test("a list in random order fails after a bounded number of requests", async () => {
  const chance = dice("random order", 1);
  let requests = 0;
  const read = readList(() => {
    requests++;
    return Array.from({ length: 10 }, () => row(chance.between(0, 1_000_000)));
  });
  await expect(read).rejects.toMatchObject({ failure: "notUnderstood", code: "unordered" });
  expect(requests).toBeLessThan(100);
});
