import { beforeAll, describe, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition, positionToNumber } from "../../../../shared/store/keys/positions.ts";
import { denseRanges, readPositionedRecords } from "../../../../shared/store/orderedList/readPositionedRecords.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { newList, newWriter, recordId, recordToWrite, storedRecords } from "./listUnderTest.ts";

const table = useTestTable();

describe("the ranges with which a page is read", () => {
  const createPositions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ rank: count - i, saleDay: "" }));
  /** The ranges whose counts are requested, and the dense ranges if each has this number of the customer's records. */
  const rangesOf = (count: number, between: number) => {
    const requested: number[][] = [];
    const ranges = denseRanges(createPositions(count), (first, last) => {
      requested.push([first, last]);
      return between;
    });
    return { requested, ranges: ranges.map(({ first, last }) => [first, last]) };
  };

  test.each([
    [0, []],
    [1, [[1, 1]]],
    [250, [[1, 250]]],
    [
      251,
      [
        [1, 250],
        [251, 251],
      ],
    ],
  ])("cover %i positions", (count, parts) => {
    expect(rangesOf(count, 1)).toEqual({ requested: parts, ranges: parts });
  });

  test("exclude a range with more other records than requested ones", () => {
    expect(rangesOf(10, 20).ranges).toEqual([[1, 10]]);
    expect(rangesOf(10, 21).ranges).toEqual([]);
  });
});

describe("records at known positions", () => {
  let list: OrderedList;
  let ranks: Map<string, number>;
  beforeAll(async () => {
    const given = await newList(table());
    list = given.list;
    await newWriter(table(), list, { fence: given.fence, extractCustomerId: () => "a customer" }).write(
      [1, 2, 3, 4].map((name) => recordToWrite(name, 0)),
    );
    const stored = await storedRecords(table(), list);
    ranks = new Map(stored.map(({ rank, record }) => [record.id, positionToNumber(rank)]));
  });

  const rankOfName = (name: number) => ranks.get(recordId(name)) ?? 0;
  const range = () => [{ first: Math.min(...ranks.values()), last: Math.max(...ranks.values()) }];
  const read = async (page: Map<string, { rank: number; saleDay: string }>, ranges = range()) => {
    const items = await readPositionedRecords(table(), list, page, "a customer", ranges);
    return items.map(({ body }) => JSON.parse(body?.S ?? "").name).sort();
  };

  test("in a range are read without other records at that place", async () => {
    const found = await read(
      new Map([1, 2, 4].map((name) => [recordId(name), { rank: rankOfName(name), saleDay: "" }])),
    );
    expect(found).toEqual([1, 2, 4]);
  });

  test("that the index shows at another position are found by id, once", async () => {
    const places = [1, 2].map((name) => [recordId(name), { rank: rankOfName(name), saleDay: "" }] as const);
    const moved = { rank: positionToNumber(formatPosition("2030-01-01", 0)), saleDay: "" };
    expect(await read(new Map([...places, [recordId(3), moved]]))).toEqual([1, 2, 3]);
  });

  test("are found by id if there are no ranges", async () => {
    expect(await read(new Map([[recordId(1), { rank: rankOfName(1), saleDay: "" }]]), [])).toEqual([1]);
  });
});
