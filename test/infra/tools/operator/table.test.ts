import { PassThrough } from "node:stream";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import type { Terminal } from "../../../../infra/cli/runProgram.ts";
import type { Line } from "../../../../infra/cli/terminalOutput.ts";
import { type Columns, printList, tableLines, tableOf } from "../../../../infra/tools/operator/table.ts";

interface Row {
  id: string;
  name: string;
  at: string | null;
  count: number;
}

const columns: Columns<Row> = {
  id: (row) => row.id,
  name: (row) => row.name,
  at: (row) => row.at,
  count: (row) => row.count,
};

const rows: Row[] = [
  { id: "0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11", name: "High Country Remedies", at: "2026-03-01T12:00:00Z", count: 5 },
  { id: "1f4c9d2e-7b38-4e56-9c0a-3d2e8f617b01", name: "日本語の名前のお店", at: null, count: 12_345 },
  { id: "2f4c9d2e-7b38-4e56-9c0a-3d2e8f617b01", name: "👩‍👩‍👧 A\u001b[2Jfamily's", at: null, count: 0 },
];

const linesAt = (stdout: { isTTY?: boolean; columns?: number }): string[] => {
  const { heading, rows: lines, note } = tableOf(stdout, rows, columns);
  return [heading.text, ...lines, ...note];
};

test("in a pipe every cell is complete, whatever the width of the terminal", () => {
  const lines = linesAt({ columns: 20 });
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(
    /^0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11 {2}High Country Remedies +2026-03-01T12:00:00Z {2}5$/,
  );
  expect(lines[2]).toMatch(/^1f4c9d2e-7b38-4e56-9c0a-3d2e8f617b01 {2}日本語の名前のお店 +- +12345$/);
  expect(lines.join("\n")).toContain("A\\u001b[2Jfamily's");
});

test("on a terminal the table fits every width, and ids and instants are never cut", () => {
  for (let width = 40; width <= 120; width++) {
    const lines = linesAt({ isTTY: true, columns: width });
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    // A column is shown completely, or named as omitted.
    const isLeftOut = lines.length > 4;
    if (isLeftOut) expect(lines.slice(4).join(" ")).toMatch(/^Not shown: (name, at, count|at, count|count)$/);
    for (const cell of ["2026-03-01T12:00:00Z", "12345"]) {
      if (!isLeftOut) expect(lines.join("\n")).toContain(cell);
    }
    expect(lines[1]).toContain("0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11");
  }
  expect(linesAt({ isTTY: true, columns: 120 })).toEqual(linesAt({}));
  const narrow = linesAt({ isTTY: true, columns: 60 });
  expect(narrow[1]).toMatch(/^0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11 {2}High Country Remedies$/);
  expect(narrow.at(-1)).toBe("Not shown: at, count");
});

test("a list is a table for people, and JSON for scripts", () => {
  const printed = (of: readonly Row[], json: boolean) => {
    const lines: Line[] = [];
    const stdout = new PassThrough() as PassThrough & Terminal["stdout"];
    printList({ print: (...more) => void lines.push(...more), stdout }, of, columns, { json, none: "There is none." });
    return json ? JSON.parse(String(stdout.read())) : lines;
  };
  expect(printed([], false)).toEqual(["There is none."]);
  expect(printed(rows, false)).toEqual(tableLines({}, rows, columns));
  expect(printed([], true)).toEqual([]);
  expect(printed(rows, true)).toEqual(rows);
});

test("a character of several code units is never cut in two", () => {
  const plants = [{ id: "1", name: `a${"🌿".repeat(20)}`, at: "2026-03-01T12:00:00Z", count: 1 }];
  for (let width = 45; width <= 80; width++) {
    const lines = tableLines({ isTTY: true, columns: width }, plants, columns).map(String);
    expect(lines[1]).not.toContain("\\u");
    expect(stringWidth(lines[1] ?? "")).toBeLessThanOrEqual(width);
  }
});
