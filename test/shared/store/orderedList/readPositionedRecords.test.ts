import { describe, expect, test } from "vitest";
import type { RawItem } from "../../../../shared/store/client.ts";
import { formatPosition, parsePosition } from "../../../../shared/store/keys/positions.ts";
import { denseRanges, readPositionedRecords } from "../../../../shared/store/orderedList/readPositionedRecords.ts";
import { compressText } from "../../../../shared/store/recordText.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { newList, recordId, storedRecords } from "./listUnderTest.ts";

const table = await createTestTable();

describe("the ranges with which a page is read", () => {
  const places = (ranks: readonly number[]) =>
    ranks.map((rank) => ({ rank: formatPosition("2026-01-01", rank), saleDay: "" }));
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => count - i);
  /** The ranges for some of a customer's records, whose positions are 1, 2, 3 and so on. */
  const rangesOf = (wanted: readonly number[], count: number) =>
    denseRanges(places(wanted), places(upTo(count))).map((range) =>
      [range.first, range.last].map((rank) => parsePosition(rank).slot),
    );

  test("cover records that follow each other, 250 at a time", () => {
    expect(rangesOf([], 10)).toEqual([]);
    expect(rangesOf(upTo(250), 250)).toEqual([[1, 250]]);
    expect(rangesOf(upTo(255), 300).flat()).toEqual([1, 250, 251, 255]);
  });

  test("have at most four other records between two of the page", () => {
    expect(rangesOf([1, 6, 11, 16], 20)).toEqual([[1, 16]]);
    expect(rangesOf([1, 6, 11, 17], 20)).toEqual([]);
  });

  test("exclude records that are far from the others, and less than four", () => {
    expect(rangesOf([1, 50, 51, 52, 53, 90, 91, 92, 100], 100)).toEqual([[50, 53]]);
  });
});

describe("records at known positions", async () => {
  const { list, write } = await newList(table, { extractCustomerId: () => "a customer" });
  await write([1, 2, 3, 4]);
  const stored = await storedRecords(table, list);
  const ranks = new Map(stored.map(({ rank, record }) => [record.name, rank]));
  const all = [{ first: stored.at(-1)?.rank ?? "", last: stored[0]?.rank ?? "" }];

  // The index lags: it shows an earlier version of each record.
  const lagging = testTableOf(table);
  lagging.client.middlewareStack.add(
    (next) => async (request) => {
      const response = await next(request);
      const { Items = [] } = response.output as { Items?: RawItem[] };
      for (const item of Items)
        item.body = { B: compressText(JSON.stringify({ id: item.sk?.S, name: "earlier" })) as Uint8Array };
      return response;
    },
    { step: "initialize", name: "earlierVersions" },
  );

  test.each<[string, number[], number[], typeof all]>([
    ["in a range are read without other records at that place", [1, 2, 4], [], all],
    ["that the index shows at another position are read by id", [1, 2], [3], all],
    ["are read by id if there are no ranges", [], [1], []],
  ])("%s", async (_, inIndex, byId, ranges) => {
    const placeOf = (name: number) => (byId.includes(name) ? formatPosition("2030-01-01", 0) : (ranks.get(name) ?? ""));
    const page = new Map([...inIndex, ...byId].map((name) => [recordId(name), { rank: placeOf(name), saleDay: "" }]));
    const items = await readPositionedRecords(lagging, list, page, { customerId: "a customer", ranges });
    const names = items.map(({ body }) => JSON.parse(body?.S ?? "").name);
    expect(names).toEqual([...inIndex.map(() => "earlier"), ...byId]);
  });
});
