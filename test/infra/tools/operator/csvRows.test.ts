import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { csvRows, describeLinesAbove } from "../../../../infra/tools/operator/csvRows.ts";

const file = join(mkdtempSync(join(inject("temporaryDirectory"), "csv-")), "rows.csv");

/** The rows of a file: each with its line and either its values or the reason for which it is rejected. */
async function rowsOf(text: string | Buffer): Promise<string[]> {
  writeFileSync(file, text);
  const rows: string[] = [];
  for await (const row of csvRows(
    file,
    (header) => header,
    () => undefined,
  )) {
    rows.push(`${row.line} ${"fault" in row ? row.fault : Object.values(row.values).join("|")}`);
  }
  return rows;
}

test.each([
  ["rows and blank lines", "a,b\n1,2\n\n3,4\n", ["2 1|2", "4 3|4"]],
  ["no line feed at the end", "a,b\r\n1,2\r\n3,4", ["2 1|2", "3 3|4"]],
  ["carriage returns alone", "a,b\r1,2\r3,4\r", ["2 1|2", "3 3|4"]],
  ["line breaks of several kinds", "a,b\n1,2\r3,4\r\n5,6\n", ["2 1|2", "3 3|4", "4 5|6"]],
  ["a mark of the byte order, blank lines above the names", "\uFEFF\n\na,b\n1,2\n", ["4 1|2"]],
  ["a mark of the byte order above quotes", '\uFEFF"a","b"\n1,2\n', ["2 1|2"]],
  ["no rows", "a,b", []],
  ["line breaks in values", 'a,b\n"1\r\n2",3\n4,5\n', ["3 1\n2|3", "4 4|5"]],
  ["empty values behind the last column", "a,b\n1,2,\n3,4,,N/A, \n", ["2 1|2", "3 3|4"]],
  ["a comma behind the last column", "a,b,\n1,2,\n3,4\n5,6,7\n", ["2 1|2", "3 3|4", "4 column_count"]],
  ["rows of empty values", "a,b\n,\n1,2\n , \n,,,\n \n", ["3 1|2"]],
  ["missing values at the end", "a,b,c,d\n1,2,3\n4,5,6,7\n8,9\n", ["2 1|2|3|", "3 4|5|6|7", "4 8|9||"]],
  [
    "a long run of rows with missing values",
    `a,b,c,d\n${"1,2,3\n".repeat(20)}`,
    Array.from({ length: 20 }, (_, i) => `${i + 2} 1|2|3|`),
  ],
  [
    "a row that a line break splits in two",
    "a,b,c,d\n1,2,3,4\n5,6\n6,7,8\n9,9,9,9\n",
    ["2 1|2|3|4", "3 column_count", "4 column_count", "5 9|9|9|9"],
  ],
  [
    "a row that line breaks split in three",
    "a,b,c,d\n1,2\nx\ny,3,4\n",
    ["2 column_count", "3 column_count", "4 column_count"],
  ],
  ["a row of a single value", "a,b,c\n1,2\n3\n", ["2 1|2|", "3 column_count"]],
  ["a last row that is cut off", "a,b,c\n1,2,3\n4,5", ["2 1|2|3", "3 cut_off"]],
  ["a cut off row behind short ones", "a,b,c,d\n1,2,3\n4,5,6", ["2 1|2|3|", "3 cut_off"]],
  ["a complete last row without a line feed", "a,b,c\n1,2\n3,4,5", ["2 1|2|", "3 3|4|5"]],
  [
    "the names of the columns again",
    "a,b,c\n1,2,3\na,b,c\n A ,B,\u00A0c,\n4,5,6\n",
    ["2 1|2|3", "3 repeated_header", "4 repeated_header", "5 4|5|6"],
  ],
  ["a row that is like the names but for one value", "a,b\na,c\n", ["2 a|c"]],
  ["a title", "List as of 3/1/2026\n\na,b\n1,2\n", ["4 1|2"]],
  ["a title with empty values", "List,,\n,,\na,b,c\n1,2,3\n", ["4 1|2|3"]],
  ["a mark of the separator", "sep=,\na,b\n1,2\n", ["3 1|2"]],
  ["one column", "a\n1\na\n2", ["2 1", "3 repeated_header", "4 2"]],
  [
    "another order, and fewer names",
    "a,b,c\n1,2,3\nc,a,b\na,b,\na,1,b\n",
    ["2 1|2|3", "3 repeated_header", "4 repeated_header", "5 a|1|b"],
  ],
  [
    "too many and too few values",
    'a,b\n1,2,3\n"x\ny",2,3\n1\n\n7,"8\r\n9"\n1,2\n',
    ["2 column_count", "4 column_count", "5 column_count", "8 7|8\n9", "9 1|2"],
  ],
  ["a quote within a value", 'a,b\n1,2\n5" pipe,x\n3,4\n', ["2 1|2", "3 stray_quote", "4 3|4"]],
  ["two in one row", 'a,b\n5" or 6" pipe,x\n3,4\n', ["2 stray_quote", "3 3|4"]],
  ["text behind a closing quote", 'a,b\n"5" pipe",x\n7,8\n', ["2 stray_quote", "3 7|8"]],
  [
    "a quote that takes in rows",
    'a,b\n1,2\n"abc"def,x\n1,2\n"q",3\n\n7,8\n9,0',
    ["2 1|2", "3 stray_quote", "5 stray_quote", "4 within_quotes", "7 7|8", "8 9|0"],
  ],
  [
    "one that takes in all rows",
    'a,b\n1,2\n"abc"def,x\n1,2\n1,3\n',
    ["2 1|2", "3 stray_quote", "4 open_quote", "5 within_quotes"],
  ],
  [
    "one that is never closed",
    'a,b\n1,2\n\n"abc,x\n1,2\n1,3\n',
    ["2 1|2", "4 open_quote", "5 within_quotes", "6 within_quotes"],
  ],
  ["one in the last line", 'a,b\n1,2\n3,"4', ["2 1|2", "3 open_quote"]],
  [
    "digits that are marked as text",
    'a,b\n="0012",="1"\r\n"=""0012""",x\n"x,=""y"",z",="3"\n="4" x,1\n1,="5"',
    ['2 ="0012"|="1"', '3 ="0012"|x', '4 x,="y",z|="3"', "5 stray_quote", '6 1|="5"'],
  ],
])("a file with %s is read", async (_, text, rows) => expect(await rowsOf(text)).toEqual(rows));

test.each([
  ["a quote that is never closed, before more than is read at once", `"${"x,y\n".repeat(100_000)}`, 100_000],
  ["a value that is too long", `${"x".repeat(300_000)},y\n${"1,2\n".repeat(50_000)}`, 50_001],
])("a file with %s has an error for every line from there on", async (_, below, lines) => {
  const rows = await rowsOf(`a,b\n1,2\n${below}`);
  const faults = rows.slice(1).map((row) => row.split(" "));
  expect([rows[0], ...(faults[0] ?? [])]).toEqual(["2 1|2", "3", "open_quote"]);
  expect(faults.map(([line]) => Number(line))).toEqual(Array.from({ length: lines }, (__, i) => i + 3));
});

test.each([
  ["List as of 3/1/2026,,\n,\n\nsep=,\na,b\n1,2\n", ["List as of 3/1/2026", "sep="]],
  ["a,b\n1,2\n", []],
  ["a\n1\n2\n", []],
])("the lines above the names of the columns in %j are reported", async (text, above) => {
  writeFileSync(file, text);
  let found: string[] | undefined;
  const columnsOf = (header: string[], texts: string[]) => {
    found = texts;
    return header;
  };
  for await (const _ of csvRows(file, columnsOf, () => undefined)) break;
  expect(found).toEqual(above);
  expect(describeLinesAbove(above)).toEqual(
    above.map((line) => `Not read, above the names of the columns: "${line}".`),
  );
});

test("digits that are marked as text are read wherever a read of the file ends", async () => {
  const rows = await rowsOf(`a,b\n${'="00012",="7"\n'.repeat(10_000)}`);
  expect(new Set(rows.map((row) => row.slice(row.indexOf(" "))))).toEqual(new Set([' ="00012"|="7"']));
  expect(rows).toHaveLength(10_000);
});

test("a faulty row is reported in order, even far behind others", async () => {
  const rows = await rowsOf(`a,b\n${"1,2\n".repeat(30_000)}x"y,3\n${"1,2\n".repeat(30_000)}`);
  expect(rows).toHaveLength(60_001);
  expect(rows[30_000]).toBe("30002 stray_quote");
  expect(rows.at(-1)).toBe("60002 1|2");
});

test.each([
  ["semicolons", "\uFEFF\n\nid;name;price\n1;Grinder;12,50\n"],
  ["semicolons", '"id";"name, and more";"price"\n'],
  ["tabs", "id\tname\n1\tGrinder\n"],
  ["vertical bars", "id|name\r\n1|Grinder\r\n"],
  ["semicolons", "sep=;\nid;name\n"],
])("a file with %s as separators is rejected with that reason", async (name, text) => {
  const message = `Cannot read ${file}: its columns are separated by ${name}; save it with commas.`;
  await expect(rowsOf(text)).rejects.toThrow(message);
});

test("semicolons, tabs and bars inside values are kept", async () => {
  expect(await rowsOf('a,b\n1;2;3,"x\t|"\n')).toEqual(["2 1;2;3|x\t|"]);
});

test.each([
  [
    "UTF-16",
    Buffer.from("\uFEFFa,b\n1,2\n", "utf16le"),
    'UTF-16 text, as Excel saves "Unicode Text"; save it as UTF-8',
  ],
  ["UTF-16 with swapped bytes", Buffer.from("\uFEFFa,b\n1,2\n", "utf16le").swap16(), "it is UTF-16 text"],
  ["UTF-16 without a mark", Buffer.from("a,b\n1,2\n", "utf16le"), "it is UTF-16 text"],
  [
    "a workbook",
    Buffer.from("PK\u0003\u0004..."),
    "it is a workbook of a spreadsheet or a zip archive; save the sheet as CSV",
  ],
  ["gzip", gzipSync("a,b\n1,2\n"), "it is compressed with gzip; unpack it"],
])("a file in %s is rejected with the format and a remedy", async (_, content, message) => {
  await expect(rowsOf(content)).rejects.toThrow(message);
});

test("a character at the boundary of two parts of the file is read as one", async () => {
  expect(await rowsOf(`a,b\n${"x".repeat(65_531)},\u00E4\n`)).toEqual([`2 ${"x".repeat(65_531)}|\u00E4`]);
});

test("a first line with wrong quotes is rejected with that reason", async () => {
  await expect(rowsOf('"a","b"x\n1,2\n')).rejects.toThrow(
    "the first line, which must name the columns, has a misplaced quote",
  );
});

test.each(['[{"a":1},\n{"a":2}]', "[\n  {", "{\n", '\uFEFF{ "a": 1 }\n'])("%j is rejected as JSON", async (content) => {
  await expect(rowsOf(content)).rejects.toThrow("it is JSON; export the records as CSV.");
});

test("a name of a column may be in brackets", async () => {
  expect(await rowsOf("[a],{b}\n1,2\n")).toEqual(["2 1|2"]);
});

test("a path that is no file, and an empty file, are rejected in one line", async () => {
  const read = (name: string) =>
    csvRows(
      name,
      (header) => header,
      () => undefined,
    ).next();
  await expect(read("/nowhere.csv")).rejects.toThrow("Cannot read /nowhere.csv: ENOENT.");
  await expect(read("/tmp")).rejects.toThrow("Cannot read /tmp: EISDIR.");
  writeFileSync(file, "\n");
  await expect(read(file)).rejects.toThrow("is empty");
});
