import { expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { detectFirstPage } from "../../../../shared/pos/framework/detectFirstPage.ts";

const rejected = new PosError("notUnderstood", { code: "400" });

/** @param responses the responses of each page, by page number: the first time, the second time, and so on */
const detect = (responses: (number[] | PosError)[][], ofEmpty?: 0 | 1) =>
  detectFirstPage(
    async (number) => {
      const response = responses[number]?.shift();
      if (response instanceof PosError) throw response;
      return response ?? [];
    },
    String,
    ["400"],
    ofEmpty,
  );

test.each<[string, 0 | 1, (number[] | PosError)[][]]>([
  ["two pages that differ", 0, [[[1, 2]], [[3, 4]]]],
  ["one page", 0, [[[1, 2]], [[]]]],
  ["no page at all", 0, [[[]], [[]]]],
  ["page 0 is rejected", 1, [[rejected, rejected], [[1, 2]]]],
  ["page 0 is rejected, and the list is empty", 1, [[rejected, rejected], [[]]]],
  ["page 0 is rejected once by accident", 0, [[rejected, [1, 2]], [[3, 4]]]],
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
])("%s: pages are counted from %i", async (_, number, responses) => {
  expect(await detect(responses)).toBe(number);
});

test("any other failure is reported", async () => {
  await expect(detect([[new PosError("unreachable", { code: "503" })]])).rejects.toMatchObject({ code: "503" });
  await expect(detect([[[1]], [rejected]])).rejects.toMatchObject({ code: "400" });
});

test("for an empty list, the given number is the first page", async () => {
  expect(await detect([[[]], [[]]], 1)).toBe(1);
  expect(await detect([[[1, 2]], [[]]], 1)).toBe(0);
});
