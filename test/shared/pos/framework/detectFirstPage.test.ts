import { expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { detectFirstPage } from "../../../../shared/pos/framework/detectFirstPage.ts";

const refused = new PosError("notUnderstood", { code: "400" });

/** @param answers what a page answers, by its number: the first time, the second time … */
const first = (answers: (number[] | PosError)[][], ofEmpty?: 0 | 1) =>
  detectFirstPage(
    async (number) => {
      const answer = answers[number]?.shift();
      if (answer instanceof PosError) throw answer;
      return answer ?? [];
    },
    String,
    ["400"],
    ofEmpty,
  );

test.each<[string, 0 | 1, (number[] | PosError)[][]]>([
  ["two pages that differ", 0, [[[1, 2]], [[3, 4]]]],
  ["one page", 0, [[[1, 2]], [[]]]],
  ["no page at all", 0, [[[]], [[]]]],
  ["page 0 is refused", 1, [[refused, refused], [[1, 2]]]],
  ["page 0 is refused, and there is nothing", 1, [[refused, refused], [[]]]],
  ["page 0 is refused by accident", 0, [[refused, [1, 2]], [[3, 4]]]],
  ["page 0 is empty", 1, [[[], []], [[1, 2]]]],
  ["a list that begins meanwhile", 0, [[[], [5]], [[1]]]],
  [
    "page 0 is page 1",
    1,
    [
      [
        [1, 2],
        [1, 2],
      ],
      [[1, 2]],
    ],
  ],
  [
    "a list that moved by a page meanwhile",
    0,
    [
      [
        [1, 2],
        [8, 9],
      ],
      [[1, 2]],
    ],
  ],
])("%s: counted from %i", async (_, number, answers) => {
  expect(await first(answers)).toBe(number);
});

test("another failure is one", async () => {
  await expect(first([[new PosError("unreachable", { code: "503" })]])).rejects.toMatchObject({ code: "503" });
  await expect(first([[[1]], [refused]])).rejects.toMatchObject({ code: "400" });
});

test("of no page at all it is the number that is told", async () => {
  expect(await first([[[]], [[]]], 1)).toBe(1);
  expect(await first([[[1, 2]], [[]]], 1)).toBe(0);
});
