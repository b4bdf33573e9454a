import { describe, expect, test } from "vitest";
import { atEnd, type Block, before, inOrder } from "../../../../../infra/tools/generators/files/blocks.ts";

const file = "list.ts";
const text = `const other = {
};
/** All. */
export const list = {
  alpha: 1,
  "Delta Two": {
    beta: 2,
  },
  foxtrot: 3,
};
end`;
const block: Block = { file, from: "export const list", to: "};" };
const linesWith = (changed: string) => changed.split("\n").filter((line) => !text.split("\n").includes(line));
const lineAfter = (changed: string, line: string) => changed.split("\n")[changed.split("\n").indexOf(line) + 1];

test.each([
  ["  able: 0,", "  alpha: 1,"],
  ["  Bravo: 0,", '  "Delta Two": {'],
  ['  "Delta": 0,', '  "Delta Two": {'],
  ["  echo: 0,", "  foxtrot: 3,"],
  ["  zulu: 0,", "};"],
])("%j is inserted before %j, whatever letter case and inner properties there are", (entry, next) => {
  const changed = inOrder(text, block, entry);
  expect(linesWith(changed)).toEqual([entry]);
  expect(lineAfter(changed, entry)).toBe(next);
});

test("a row is inserted in order into a table, which ends with an empty line", () => {
  const table = "| Name | |\n|---|---|\n| `A` | 1 |\n| `C` | 3 |\n\n| `B` | elsewhere |";
  expect(inOrder(table, { file, from: "| Name", to: "" }, "| `B` | 2 |").split("\n")[3]).toBe("| `B` | 2 |");
});

test("a line is inserted at the end of a block, or before another line", () => {
  expect(lineAfter(atEnd(text, block, "new,"), "new,")).toBe("};");
  expect(before(text, { file, from: "/** All. */" }, "new;")).toContain("};\nnew;\n\n/** All. */");
});

describe("an insertion is rejected", () => {
  test.each([
    ["no block", "", "};"],
    ["several blocks", `${text}\n${text}`, "};"],
    ["a block without an end", text, "];"],
  ] as const)("if the file has %s", (_, changed, to) => {
    expect(() => atEnd(changed, { ...block, to }, "new,")).toThrow(
      /^list\.ts must have exactly one block from "export const list" /,
    );
  });
});
