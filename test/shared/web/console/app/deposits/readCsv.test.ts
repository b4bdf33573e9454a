import { expect, test } from "vitest";
import { readCsv } from "../../../../../../shared/web/console/app/deposits/readCsv.ts";

const read = (text: string) => {
  const file = readCsv(text);
  return "problem" in file ? expect.fail(file.problem) : file;
};

test("quotation marks, line breaks in cells, and a byte order mark are read", () => {
  expect(read('\ufeffID,"Am""ount"\r\nD-1,"3,115.00"\r\nD-2,"two\nlines"\r\n')).toEqual({
    columns: ["ID", 'Am"ount'],
    rows: [
      { number: 2, cells: ["D-1", "3,115.00"] },
      { number: 3, cells: ["D-2", "two\nlines"] },
    ],
  });
});

test.each([",", ";", "\t", "|"])("the delimiter %j is found", (delimiter) => {
  const lines = [
    ["ID", "AMT", "DATE"],
    ["D-1", "5", "x"],
  ];
  const text = lines.map((cells) => cells.join(delimiter)).join("\n");
  expect(read(text).rows[0]?.cells).toEqual(lines[1]);
});

test.each(["\n", "\r\n", "\r"])("lines end with %j", (end) => {
  expect(read(["a,b", '1,"2"', '3,"4"', ""].join(end)).rows).toHaveLength(2);
});

test("rows keep their number in a spreadsheet program, after a title and empty rows", () => {
  const { columns, rows } = read("Postings of November\n\nID,AMT\nD-1,5\n\n,\nD-2,6\n");
  expect(columns).toEqual(["ID", "AMT"]);
  expect(rows.map(({ number }) => number)).toEqual([4, 7]);
});

test("columns without a name and with the same name are distinguished", () => {
  expect(read("ID,,ID,__proto__\n1,2,3,4").columns).toEqual(["ID", "Column (2)", "ID (3)", "__proto__"]);
});

test.each<[string, string, RegExp]>([
  ["is empty", "", /no row with the names/],
  ["has one column", "ID\nD-1\n", /no row with the names/],
  ["has only names", "ID,AMT\n\n", /no row below/],
  ["has an open quotation mark", 'ID,AMT\nD-1,"5\n', /quotation mark/],
  ["has text after a quotation mark", 'ID,AMT\n"D"-1,5\n', /quotation mark in line 2/],
  ["has too many empty rows", `ID,AMT\n${"\n1,2\n".repeat(50_000)}`, /more than 50,000/],
  ["has too many rows", `ID,AMT\n${"1,2\n".repeat(50_001)}`, /more than 50,000/],
])("a file that %s is explained", (_, text, problem) =>
  expect(readCsv(text)).toEqual({ problem: expect.stringMatching(problem) }),
);
