import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { birthDay, codeUpTo, dateText, day, idUpTo, lineUpTo, text } from "../../../shared/cells/cellFields.ts";

/** The value of a cell, or the reason for which it is rejected in parentheses. */
function read(field: z.ZodType, cell: unknown): unknown {
  const { data, error } = field.safeParse(cell);
  return error ? `(${error.issues.map(({ message }) => message).join()})` : data;
}

const line = lineUpTo(255);
const code = codeUpTo(255);
const id = idUpTo(255);

describe("in every field", () => {
  const fields = { text, line, code, id, dateText };
  test.each(Object.entries(fields))(
    "of the type %s, blanks and N/A are empty, and errors of programs rejected",
    (_, field) => {
      for (const cell of [
        "",
        " ",
        "\u00A0\u2003\u3000",
        "\uFEFF",
        "\u200B\u2060\u200E",
        "\u200D",
        "\uFE0F \u2066\u2069",
        "\u2800",
        "N\u200D/A",
        "\u0085",
        "n/a",
        "\u00A0N/A\u200B",
      ]) {
        expect(read(field, cell)).toBeNull();
      }
      const errors = ["#REF!", " #n/a", "\u200B########", "#GETTING_DATA", "#BLOCKED!", "Err:502", '="#REF!"'];
      const foreign = ["#NV", "#WERT!", "#BEZUG!", "#VALEUR!", "#NOM?", "#N/D", "#¡VALOR!", "#¿NOMBRE?", "#RIF!"];
      for (const cell of [...errors, ...foreign]) expect(read(field, cell)).toBe("(spreadsheet_error)");
      for (const cell of ["#7", "#Wow!", "#NVX", "Name?"]) expect(read(field, cell)).not.toBe("(spreadsheet_error)");
      for (const cell of ["Caf\uFFFD", "a\u0000b", "\u001B[2J", "a\uD800"]) {
        expect(read(field, cell)).toBe("(unreadable_character)");
      }
    },
  );

  test.each(["2.91712E+19", "6.36E+18", "2.9E19", "1.0e-05", "-1.2E+5", "12.3E+10", "9,7E+9", "1E+20", 2 ** 60])(
    "of text, %s is a rounded number",
    (cell) => {
      for (const field of [text, line, code, id]) expect(read(field, cell)).toBe("(rounded_number)");
    },
  );
});

test.each([
  ["12345.0", "12345"],
  ["9705550141.00", "9705550141"],
  ["81301.000", "81301"],
  [" 0012.0\u200B", "0012"],
  ["'0012", "0012"],
  ["'12.0", "12"],
  ["+19705550141.0", "+19705550141"],
  ["9705550141,0", "9705550141"],
  ["1,000", "1,000"],
  ['="0012"', "0012"],
  ["00\u200B12", "0012"],
  ["A\u00ADB\u2060C\uFEFFD\u200DE\uFE0F", "ABCDE"],
  ["\u202Dabc\u202C", "abc"],
  ["\u200D", null],
  ["12.000000", "12"],
  ["555.0000", "555.0000"],
  ["A\u00A01", "A 1"],
  ["12.5", "12.5"],
  ["12.", "12."],
  ["12.10", "12.10"],
  ["A12.0", "A12.0"],
  ["1A4E300002199000003522", "1A4E300002199000003522"],
  ["1E05", "1E05"],
  ["12E5", "12E5"],
  ["'90S-KUSH", "'90S-KUSH"],
  ["MAY-4B", "MAY-4B"],
  ["+1 (970) 555-0141", "+1 (970) 555-0141"],
  ["810012345678901234.0", "(rounded_number)"],
  ["2-Jan", "(changed_to_date)"],
  ["Mar-01", "(changed_to_date)"],
  ["10-SEP-26", "(changed_to_date)"],
  ["02. Okt", "(changed_to_date)"],
  ["02-janv", "(changed_to_date)"],
  ["2-ene-26", "(changed_to_date)"],
  ["déc-02", "(changed_to_date)"],
  ["2-ABC", "2-ABC"],
  ["NULL", null],
  ["NaN", null],
  ["<NA>", null],
  ["\\N", null],
  ["None", null],
  ["-----", null],
  ["?", null],
  ["-1", "-1"],
  ["NULL-1", "NULL-1"],
  ["Cafe\u0301", "Caf\u00E9"],
  ["I-37\nx", "(line_break)"],
  ["I-37\tx", "(line_break)"],
  ["I-37\u2028x", "(line_break)"],
  ["x".repeat(256), "(too_long)"],
])("the number %j is read as %j", (cell, found) => {
  expect(read(code, cell)).toBe(found);
  expect(read(id, cell)).toBe(found);
});

// biome-ignore format: a value on each line fills a screen
test.each([
  "Total", "TOTALS", "Grand Total", "grand-total:", "Sub-total", "Subtotal: 3", "Total: 3", "Total (12)",
  "Total 1,234.50", "Flower Total", "Total 1.234,56 €", "Total: -$5.00", "Total 1 234,56", "Total général",
  "Gesamtsumme: 3", "Somme", "(12 rows affected)", "5 row(s)", "Sum", "Count 12", "Row count: 7", "Average",
  "Total items: 7", "Total for March", "12 records", "Page 1 of 3", "*** End of Report ***", "Generated on 3/1/2026",
  "\u200BTotal\u00A0", "*** Total ***", "- Total -", "Total, all stores", "Total: Flower", "Total - Flower",
  "Total (all)", "Total quantity on hand", "GrandTotal", "Total USD 12", "Totals as of 11/1", "Sum of total_quantity",
  "Records: 5", "Number of customers: 5", "# of records = 5", "5 records exported", "Overall", "EOF",
  "Applied filters: none",
])("the id %j belongs to a line of a report", (cell) => expect(read(id, cell)).toBe("(report_line)"));

// biome-ignore format: a value on each line fills a screen
test.each([
  "Total-Relief-1", "Totally Baked", "Totally: Baked", "Customer: 5", "Lot: 5", "*1*", "Filter", "TOTAL7", "SUM-1",
  "Summit", "Count Chocula", "Counter", "Gesamtpaket", "Summer", "Rows", "Page", "Vault", "12", "Average Joe's",
])("the id %j does not", (cell) => expect(read(id, cell)).toBe(cell));

test("a text keeps its line breaks, joiners, fractions, months and totals", () => {
  const kept = [
    "a\nb",
    "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
    "\u{1F469}\u200D\u{1F33E}",
    "\u2764\uFE0F",
    "12.0",
    "2-Jan",
    "Total",
  ];
  for (const cell of kept) expect(read(text, cell)).toBe(cell);
});

describe("a date", () => {
  // biome-ignore format: a value on each line fills a screen
  test.each([
    "N/A", "na", "NULL", "(null)", "null", "NaT", "nan", "None", "TBD", "T.B.D.", "tba", "Unknown", "-", "--", "\u2014",
    "?", "0", "\\N", "Not Available", "Not yet issued", "None given", "To be determined", "No expiration",
    "Never expires", "Open-ended", "Invalid date", "N / A", "--/--/----", "__/__/____", "  /  /  ", "00/00/00", "0:00",
    "1/0/00", "0-Jan-00", "0000", "9999", "1-Jan-1900", "31-Dec-9999", "Dec 31, 9999", "'9999-12-31", "<blank>",
    "1/1/1900", "1/0/1900", "12/30/1899 0:00", "1900-01-01T00:00:00", "0001-01-01", "0001-01-01 00:00:00.000",
    "1/1/0001", "0000-00-00", "00/00/0000", "1753-01-01", "9999-12-31", "12/31/9999 11:59:59 PM", "2999-12-31",
    "12-31-9999", "31.12.9999", "99991231",
  ])("that is missing may be written as %j", (cell) => {
    for (const field of [birthDay, day, dateText]) expect(read(field, cell)).toBeNull();
  });

  test.each([
    ["2026-03-01", "2026-03-01"],
    ["3/1/2026", "2026-03-01"],
    ["'3/1/2026", "2026-03-01"],
    ["\u00A03/1/2026 0:00\u200E", "2026-03-01"],
    ["1901-01-01", "1901-01-01"],
    ["2026-02-30", "(not_a_date)"],
    ["11/3/24", "(not_a_date)"],
    ["Nov 3, 2024", "(not_a_date)"],
    ["25/12/2026", "(not_a_date)"],
    ["46000.77", "(not_a_date)"],
    ["soon", "(not_a_date)"],
    ["Expired", "(not_a_date)"],
    ["31-Dec-2026", "(not_a_date)"],
    ["1/1/00", "(not_a_date)"],
    ["\u043C\u0430\u0439", "(not_a_date)"],
  ])("%j is read as %j", (cell, found) => expect(read(day, cell)).toBe(found));

  test("at the zero of Unix time is missing, except a date of birth", () => {
    for (const zero of ["1970-01-01", "12/31/1969"]) expect(read(day, zero)).toBeNull();
    expect(read(birthDay, "1/1/1970")).toBe("1970-01-01");
  });
});

test("hostile cells are read in little time", () => {
  const started = performance.now();
  for (const cell of [
    "\u200B".repeat(50_000),
    `a${" ".repeat(50_000)}b`,
    `${"9".repeat(50_000)}.0x`,
    `total ${" ".repeat(200)}x`,
  ]) {
    for (const field of [text, code, id, day]) read(field, cell);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});
