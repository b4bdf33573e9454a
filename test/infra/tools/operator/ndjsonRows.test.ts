import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { type NdjsonRow, ndjsonRows } from "../../../../infra/tools/operator/ndjsonRows.ts";

const file = join(mkdtempSync(join(inject("temporaryDirectory"), "ndjson-")), "rows.ndjson");

async function rowsOf(content: string | Buffer): Promise<NdjsonRow[]> {
  writeFileSync(file, content);
  return Array.fromAsync(ndjsonRows(file, () => undefined));
}

test.each([
  ["lines, blank ones and no last line feed", '{"a":1}\n\n  \r\n{"a":2}\r\n{"a":3}', [1, 4, 5]],
  ["a mark of the byte order", '\uFEFF{"a":1}\n', [1]],
  ["separators that only JSON takes for characters", '{"a":"\u2028\u2029\\n"}\n{"a":1}\n', [1, 2]],
  ["nothing", "", []],
])("a file with %s is read", async (_, text, lines) => {
  const rows = await rowsOf(text);
  expect(rows.map(({ line }) => line)).toEqual(lines);
  expect(rows.filter((row) => "fault" in row)).toEqual([]);
});

test("a character at the boundary of two parts of the file is read as one", async () => {
  const text = `${JSON.stringify({ a: "ä".repeat(100_001) })}\n`.repeat(3);
  const rows = await rowsOf(` ${text}`);
  expect(rows.map((row) => "value" in row && JSON.stringify(row.value))).toEqual(Array(3).fill(text.split("\n")[0]));
});

test("a line that is no JSON or too long is reported with its number, and the others are read", async () => {
  const long = JSON.stringify("x".repeat(3_000_000));
  const rows = await rowsOf(`{"a":1}\n{"a":\n${long}\n[2]\nnull\n${long}`);
  expect(rows).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 2, fault: "not_json" },
    { line: 3, fault: "line_too_long" },
    { line: 4, value: [2] },
    { line: 5, value: null },
    { line: 6, fault: "line_too_long" },
  ]);
});

test("numbers with a decimal point stay text, other numbers do not", async () => {
  const rows = await rowsOf('{"price":35.00,"grams":3.50,"list":[{"price":12.50}]}\n{"price":35}\n{"price":1.5e3}\n');
  expect(rows.map((row) => "value" in row && row.value)).toEqual([
    { price: "35.00", grams: "3.50", list: [{ price: "12.50" }] },
    { price: 35 },
    { price: 1500 },
  ]);
});

test("a path that is no file is rejected in one line", async () => {
  await expect(ndjsonRows("/nowhere.ndjson", () => undefined).next()).rejects.toThrow("Cannot read /nowhere.ndjson");
});

test.each([
  ["repeats a field", '{"a":1,"a":2}'],
  ["repeats a field inside", '{"a":[{"b":1,"b" : 1.5}]}'],
  ["repeats a field that is written in another way", '{"a":1,"\\u0061":2}'],
])("a line that %s is rejected", async (_, text) => {
  expect(await rowsOf(`{"c":1}\n${text}\n`)).toEqual([
    { line: 1, value: { c: 1 } },
    { line: 2, fault: "repeated_field" },
  ]);
});

test("texts that look like fields, and fields of several objects, are no repeated fields", async () => {
  const value = { a: '","a":"', b: [{ a: "\\" }, { a: '\\":' }, [], null], c: {} };
  expect(await rowsOf(JSON.stringify(value))).toMatchObject([{ line: 1, value }]);
  const [, deep] = await rowsOf(`{}\n${"[".repeat(50_000)}{"a":1}${"]".repeat(50_000)}`);
  expect(deep).not.toHaveProperty("fault");
});

test.each([
  ["a JSON list", '[{"a":1},\n{"a":2}]', "it is a JSON list. Write one record per line"],
  ["a JSON list in one line", '\uFEFF\n[{"a":1},{"a":2}]\n', "it is a JSON list"],
  ["records of several lines", '{\n "a": 1\n}\n', "its records have several lines. Write one record per line"],
  ["records that begin with a field", '{ "a": 1,\r\n  "b": 2 }', "its records have several lines"],
  ["records that continue with a comma", '{ "a": 1\n, "b": 2 }', "its records have several lines"],
  ["records that begin with a list", '{"a": [\n1]}', "its records have several lines"],
  ["UTF-16", Buffer.from('\uFEFF{"a":1}\n', "utf16le"), "it is UTF-16 text"],
  ["UTF-16 without a mark", Buffer.from('{"a":1}\n', "utf16le"), "it is UTF-16 text"],
  ["gzip", gzipSync('{"a":1}\n'), "it is compressed with gzip; unpack it"],
])("a file with %s is rejected with the reason and a remedy", async (_, content, message) => {
  await expect(rowsOf(content)).rejects.toThrow(message);
});
