import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell } from "../../../shared/text/csvCell.ts";

test("any text survives CSV, and none begins as a formula", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("", "=", "+", "-", "@", "\t", "\r"), (text, start) => {
      const cell = start + text;
      const [[read = ""] = []] = parse(`${csvCell(cell)},x\r\n`, { record_delimiter: "\r\n" }) as string[][];
      expect(read === cell || read === `'${cell}`).toBe(true);
      expect(read).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

test("numbers never get an apostrophe, and null is empty", () => {
  expect([-7, true, null].map(csvCell)).toEqual(["-7", "true", ""]);
});
