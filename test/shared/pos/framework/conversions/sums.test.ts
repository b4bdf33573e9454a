import { expect, test } from "vitest";
import { chooseReading } from "../../../../../shared/pos/framework/conversions/sums.ts";

const [before, after] = [
  { name: "before", total: 4000 },
  { name: "after", total: 3600 },
];

test.each([
  ["the reading that adds up", [before, after], 3600, 0, after],
  ["a reading that adds up except for rounding", [before, after], 3998, 0, before],
  ["a reading that adds up except for the rounding of its ten lines", [before, after], 3607, 10, after],
  ["nothing if the difference is more than rounding", [before, after], 3607, 9, null],
  ["nothing if no reading adds up", [before, after], 3800, 0, null],
  ["nothing if the expected sum is unknown", [before, after], null, 0, null],
  ["the closer of two that both add up", [before, { name: "near", total: 4002 }], 4000, 0, before],
  ["nothing if two are equally close", [before, { name: "near", total: 4002 }], 4001, 0, null],
  ["the first of readings with the same total", [before, { name: "same", total: 4000 }], 4000, 0, before],
  ["nothing if there is no reading", [], 4000, 0, null],
])("the calculation chooses %s", (_, readings, expected, amounts, chosen) => {
  expect(chooseReading(readings, expected, amounts)).toBe(chosen);
});
