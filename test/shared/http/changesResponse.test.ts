import { expect, test } from "vitest";
import { changes } from "../../../shared/http/changesResponse.ts";

const places = [1, 2].map((id) => ({ rank: `2026-03-01#${id}`, value: JSON.stringify({ id }) }));
const createCursorAfter = (records: number) => `after ${records}`;

test.each([
  [
    "the last page has its records and a cursor",
    { places, hasMore: false, isReset: false },
    { data: [{ id: 1 }, { id: 2 }], cursor: "after 2", has_more: false },
    undefined,
  ],
  [
    "a page that begins again says so",
    { places, hasMore: true, isReset: true },
    { data: [{ id: 1 }, { id: 2 }], cursor: "after 2", has_more: true, reset: true },
    undefined,
  ],
  [
    "a page without changes is empty",
    { places: [], hasMore: false, isReset: false },
    { data: [], cursor: "after 0", has_more: false },
    undefined,
  ],
  [
    "a page whose next change cannot be read yet makes the caller wait",
    { places: [], hasMore: true, isReset: false },
    { data: [], cursor: "after 0", has_more: true },
    { "Retry-After": "1" },
  ],
])("%s", async (_, followed, body, headers) => {
  const result = changes({ ...followed, createCursorAfter, generation: undefined });
  const { text, records } = await result.body();
  expect(JSON.parse(text)).toEqual(body);
  expect([records, result.headers]).toEqual([body.data.length, headers]);
});
