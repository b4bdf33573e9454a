import { expect, test } from "vitest";
import { formatPosition, lastSlot, positionToNumber } from "../../../../shared/store/keys/positions.ts";
import type { OrderName, RecordPlace } from "../../../../shared/store/orderedList/indexEntries.ts";
import { isInWindows, selectPage } from "../../../../shared/store/orderedList/openMatches.ts";

const at = (day: string, slot = 0) => positionToNumber(formatPosition(day, slot));

test("matches are in the list's order unless another order is requested", () => {
  const found: [string, RecordPlace][] = [
    ["a", { rank: 1, saleDay: "2026-03-02" }],
    ["b", { rank: 3, saleDay: "2026-03-01" }],
    ["c", { rank: 2, saleDay: "2026-03-02" }],
  ];
  const page = (order?: OrderName) => [
    ...selectPage(found, { offset: 0, limit: 2, ...(order && { order }) }).page.keys(),
  ];
  expect(page()).toEqual(["b", "c"]);
  expect(page("rank")).toEqual(["b", "c"]);
  expect(page("saleRank")).toEqual(["c", "a"]);
});

test("a window includes all sequence numbers of its first and last day, and no others", () => {
  const windows = { rank: { from: "2026-03-02", to: "2026-03-03" } };
  const inside = [at("2026-03-02"), at("2026-03-02", lastSlot), at("2026-03-03"), at("2026-03-03", lastSlot)];
  const outside = [at("2026-03-01", lastSlot), at("2026-03-04")];
  expect(inside.map((rank) => isInWindows({ rank, saleDay: "" }, windows))).toEqual([true, true, true, true]);
  expect(outside.map((rank) => isInWindows({ rank, saleDay: "" }, windows))).toEqual([false, false]);
  expect(outside.map((rank) => isInWindows({ rank, saleDay: "" }, { rank: {} }))).toEqual([true, true]);
});
