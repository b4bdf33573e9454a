import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { watch } from "../../../../infra/tools/operator/watch.ts";

type Row = [kind: string, read: string];
const columns = { kind: ([kind]: Row) => kind, read: ([, read]: Row) => read };

/** Shows these tables one after the other, and then closes the output. */
async function shown(tables: Row[][], terminal?: { rows: number; columns?: number }): Promise<string[]> {
  const stdout = Object.assign(new PassThrough(), terminal && { isTTY: true, ...terminal });
  const written: string[] = [];
  let part = "";
  stdout.on("data", (chunk) => {
    part += chunk;
  });
  const left = [...tables];
  await watch(
    stdout,
    columns,
    async () => {
      if (part) written.push(part);
      part = "";
      const rows = left.shift();
      if (!rows) stdout.destroy();
      return rows ?? [];
    },
    1,
  );
  return written;
}

test("in a pipe, a row is written whenever it has changed", async () => {
  const tables: Row[][] = [
    [
      ["sale", "1"],
      ["product", "2"],
    ],
    [
      ["sale", "1"],
      ["product", "2"],
    ],
    [
      ["sale", "9"],
      ["product", "2"],
    ],
    [
      ["sale", "1"],
      ["product", "2"],
    ],
  ];
  const written = await shown(tables);
  expect(written.map((text) => text.replaceAll(/ +/g, " "))).toEqual([
    "kind read\nsale 1\nproduct 2\n",
    "sale 9\n",
    "sale 1\n",
  ]);
});

test("on a terminal, each table is drawn over the previous one, and cut to the height of the terminal", async () => {
  const tables: Row[][] = [
    [["sale", "1"]],
    [
      ["sale", "2"],
      ["product", "3"],
    ],
    [
      ["sale", "4"],
      ["product", "5"],
      ["customer", "6"],
    ],
  ];
  const written = await shown(tables, { rows: 4 });
  // Moves up by the number of drawn lines, to the first column, and clears the rest.
  const over = (lines: number) => `\u001b[${lines}A\u001b[1G\u001b[0J`;
  expect(written.map((text) => text.split("\n").length - 1)).toEqual([2, 3, 3]);
  expect(written[0]?.startsWith("\u001b[1G\u001b[0J")).toBe(true);
  expect(written[1]?.startsWith(over(2))).toBe(true);
  expect(written[2]?.startsWith(over(3))).toBe(true);
  expect(written[2]).toContain("product");
  expect(written[2]).not.toContain("customer");
});

test("no line is wider than the terminal, so that each table covers the previous one completely", async () => {
  const many: Row[] = [["a kind of records that is longer than the terminal is wide", "1"]];
  const written = await shown([many, many], { rows: 10, columns: 30 });
  for (const text of written) {
    const lines = stripVTControlCharacters(text).trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^a kind of records .*… +1$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(30);
  }
  expect(written[1]?.startsWith("\u001b[2A\u001b[1G\u001b[0J")).toBe(true);
});

test.each([undefined, { rows: 4 }])(
  "control characters are escaped, in a pipe and on a terminal (%j)",
  async (terminal) => {
    const [written = ""] = await shown([[["sale\u001b[2J\r\u0007\u202e", "1"]]], terminal);
    const table = /^kind +read\nsale\\u001b\[2J\\u000d\\u0007\\u202e {2}1\n$/;
    expect(stripVTControlCharacters(written)).toMatch(table);
    expect(written.split("sale")[1]).not.toMatch(/[^\P{C}\n]/u);
  },
);

test("ends when its output is closed, and when the table cannot be read", async () => {
  const stdout = new PassThrough();
  const watching = watch(stdout, columns, async () => [], 60_000);
  stdout.destroy(new Error("EPIPE"));
  await watching;
  await expect(watch(new PassThrough(), columns, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
});
