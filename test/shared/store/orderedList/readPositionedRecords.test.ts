import { beforeAll, describe, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition, parsePosition } from "../../../../shared/store/keys/positions.ts";
import { denseRanges, readPositionedRecords } from "../../../../shared/store/orderedList/readPositionedRecords.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { newList, newWriter, recordId, recordToWrite, storedRecords } from "./listUnderTest.ts";

const table = useTestTable();

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
    expect(rangesOf(upTo(255), 300)).toEqual([
      [1, 250],
      [251, 255],
    ]);
  });

  test("have at most four other records between two of the page", () => {
    expect(rangesOf([1, 6, 11, 16], 20)).toEqual([[1, 16]]);
    expect(rangesOf([1, 6, 11, 17], 20)).toEqual([]);
  });

  test("exclude records that are far from the others, and less than four", () => {
    expect(rangesOf([1, 50, 51, 52, 53, 90, 91, 92, 100], 100)).toEqual([[50, 53]]);
  });
});

describe("records at known positions", () => {
  let list: OrderedList;
  let ranks: Map<string, string>;
  beforeAll(async () => {
    const given = await newList(table());
    list = given.list;
    await newWriter(table(), list, { fence: given.fence, extractCustomerId: () => "a customer" }).write(
      [1, 2, 3, 4].map((name) => recordToWrite(name, 0)),
    );
    const stored = await storedRecords(table(), list);
    ranks = new Map(stored.map(({ rank, record }) => [record.id, rank]));
  });

  const rankOfName = (name: number) => ranks.get(recordId(name)) ?? "";
  const range = () => {
    const sorted = [...ranks.values()].sort();
    return [{ first: sorted.at(0) ?? "", last: sorted.at(-1) ?? "" }];
  };
  const read = async (page: Map<string, { rank: string; saleDay: string }>, ranges = range()) => {
    const items = await readPositionedRecords(table(), list, page, { customerId: "a customer", ranges });
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
    const moved = { rank: formatPosition("2030-01-01", 0), saleDay: "" };
    expect(await read(new Map([...places, [recordId(3), moved]]))).toEqual([1, 2, 3]);
  });

  test("are found by id if there are no ranges", async () => {
    expect(await read(new Map([[recordId(1), { rank: rankOfName(1), saleDay: "" }]]), [])).toEqual([1]);
  });
});
