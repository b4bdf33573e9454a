import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Terminal } from "../../../../infra/cli/runProgram.ts";
import { type Line, shown } from "../../../../infra/cli/terminalOutput.ts";
import type { Screen } from "../../../../infra/tools/operator/session.ts";
import { stateCell } from "../../../../infra/tools/operator/stateStyles.ts";
import { type Columns, printList, tableLines } from "../../../../infra/tools/operator/table.ts";

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

const linesAt = (screen: Screen, of: readonly Row[] = rows): string[] =>
  tableLines(screen, of, columns).map((line) => stripVTControlCharacters(shown(new PassThrough(), line)));

test("in a pipe every cell is complete, whatever the width of the terminal", () => {
  const lines = linesAt({ columns: 20 });
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(
    /^0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11 {2}High Country Remedies +2026-03-01T12:00:00Z {2}5$/,
  );
  expect(lines[2]).toMatch(/^1f4c9d2e-7b38-4e56-9c0a-3d2e8f617b01 {2}日本語の名前のお店 +- +12345$/);
  expect(lines.join("\n")).toContain("A\\u001b[2Jfamily's");
});

test("on a terminal the table fits every width, with whole instants and the beginnings of ids", () => {
  const whole = Math.max(...linesAt({}).map((line) => stringWidth(line)));
  for (let width = 30; width <= 120; width++) {
    const lines = linesAt({ isTTY: true, columns: width });
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    const text = lines.join(" ");
    expect(text).toMatch(width < whole ? /^id {8}name/ : /^id {36}name/);
    expect(lines[1]).toMatch(width < whole ? /^0b5c0b9e {2}High/ : /^0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11 {2}High/);
    // A column is complete, or named as omitted.
    const [, omitted] = /Not shown: (.*) Add --wide to see everything\.$/.exec(text) ?? [];
    for (const [name, cell] of [
      ["at", "2026-03-01T12:00:00Z"],
      ["count", "12345"],
    ] as const) {
      expect([text.includes(cell), omitted?.split(", ").includes(name) ?? false]).toContain(true);
      expect(text.includes(cell) && omitted?.split(", ").includes(name)).not.toBe(true);
    }
    // A complete table has no note.
    expect(lines.length > 4).toBe(width < whole);
  }
  expect(linesAt({ isTTY: true, columns: 120 })).toEqual(linesAt({}));
  const narrow = linesAt({ isTTY: true, columns: 40 });
  expect(narrow.slice(0, 2)).toEqual(["id        name", "0b5c0b9e  High Country Remedies"]);
  expect(narrow.slice(4).join(" ")).toBe("Not shown: at, count Add --wide to see everything.");
});

test("ids with the same beginning are shortened to different texts", () => {
  const [first, second] = ["0b5c0b9e-6a53-4f0e-9d6c-0f6d3f2a9c11", "0b5c0b9e-6a53-4f0e-8d6c-0f6d3f2a9c11"];
  const twins = [first, second, first].map((id) => ({ id, name: "High Country Remedies", at: null, count: 1 }));
  const lines = linesAt({ isTTY: true, columns: 50 }, twins);
  expect(lines.slice(1, 4).map((line) => line.split(" ")[0])).toEqual([
    "0b5c0b9e-6a53-4f0e-9",
    "0b5c0b9e-6a53-4f0e-8",
    "0b5c0b9e-6a53-4f0e-9",
  ]);
});

test("the columns without a value go first, then the last ones", () => {
  const unset = rows.map((row) => ({ ...row, at: null }));
  const lines = linesAt({ isTTY: true, columns: 36 }, unset);
  expect(lines[0]).toBe("id        name                 count");
  expect(lines.slice(4).join(" ")).toBe("Not shown: at (empty) Add --wide to see everything.");
});

test("states have the color of the worst one on a terminal, and none in a pipe or with NO_COLOR", () => {
  const of = [["current"], ["late", "current"], ["failing", "late"], ["current", "paused"]] as const;
  const colored = { state: (row: (typeof of)[number]) => stateCell(...row) };
  const printed = (isTTY: boolean, environment: Record<string, string>) => {
    const stream = Object.assign(new PassThrough(), {
      isTTY,
      getColorDepth: () => WriteStream.prototype.getColorDepth(environment),
    });
    vi.stubEnv("FORCE_COLOR", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    return tableLines({}, of, colored)
      .slice(1)
      .map((line) => shown(stream, line));
  };
  const plain = ["current", "late, current", "failing, late", "current, paused"];
  expect(printed(true, { TERM: "xterm" })).toEqual([
    "\u001b[32mcurrent\u001b[39m",
    "\u001b[33mlate, current\u001b[39m",
    "\u001b[31mfailing, late\u001b[39m",
    "current, paused",
  ]);
  expect(printed(false, { TERM: "xterm" })).toEqual(plain);
  expect(printed(true, { TERM: "xterm", NO_COLOR: "1" })).toEqual(plain);
});

test("a list is a table for people, and JSON for scripts", () => {
  const printed = (of: readonly Row[], json: boolean) => {
    const lines: Line[] = [];
    const stdout = new PassThrough() as PassThrough & Terminal["stdout"];
    const session = { print: (...more: Line[]) => void lines.push(...more), stdout, screen: {} };
    printList(session, of, columns, { json, none: "There is none." });
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
