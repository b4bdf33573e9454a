import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describePicture, drawDeposits, readSheet } from "../../../../infra/tools/generate/depositsPicture.ts";

const guide = readFileSync("docs/guide/sales-to-deposits.md", "utf8");
const rows = readSheet(guide);
const pointsOf = (svg: string, name: string) =>
  (new RegExp(`class="${name}" points="([^"]+)"`).exec(svg)?.[1] ?? "")
    .split(" ")
    .map((point) => point.split(",").map(Number) as [x: number, y: number]);

test("the picture in the guide is drawn from the sheet of the guide", () => {
  expect(readFileSync("docs/guide/sales-to-deposits.svg", "utf8")).toBe(drawDeposits(rows));
  const [, alt = ""] = /!\[([^\]]+)\]\(sales-to-deposits\.svg\)/.exec(guide) ?? [];
  const last = rows.at(-1) ?? expect.fail();
  expect(alt).toContain(`${rows.length} days`);
  expect(alt).toContain(`${(Math.round((last.high - last.low) / 10_000) * 100).toLocaleString("en-US")} dollars`);
});

test("each day has its balance and each deposit its bar, to scale", () => {
  const svg = drawDeposits(rows);
  const [low, range] = [pointsOf(svg, "low"), pointsOf(svg, "range")];
  expect([low.length, range.length]).toEqual([30, 60]);
  // Of two days, the scale of the others follows.
  const [[, y0 = 0] = [], [, y1 = 0] = []] = low;
  const [from, to] = [rows[0]?.low ?? 0, rows[2]?.low ?? 0];
  const perCent = ((low[2]?.[1] ?? 0) - y0) / (to - from);
  expect(y1).not.toBe(y0);
  for (const [i, row] of rows.entries()) {
    expect(low[i]?.[1]).toBeCloseTo(y0 + perCent * (row.low - from), 0);
    expect(range[i]?.[1]).toBeCloseTo(y0 + perCent * (row.high - from), 0);
    expect(range[59 - i]).toEqual(low[i]);
  }
  const bars = [...svg.matchAll(/class="deposit" x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"\/>\n/g)];
  const deposited = rows.filter((row) => row.deposited > 0);
  expect(bars).toHaveLength(deposited.length);
  for (const [i, bar] of bars.entries()) {
    expect(Number(bar[3])).toBeCloseTo(-perCent * (deposited[i]?.deposited ?? 0), 0);
  }
});

test("another figure in the sheet gives another picture and another description", () => {
  const changed = rows.map((row, i) => (i === 29 ? { ...row, high: row.high + 100_000 } : row));
  expect(drawDeposits(changed)).not.toBe(drawDeposits(rows));
  expect(describePicture(changed)).not.toBe(describePicture(rows));
});

test("readers who do not see the picture, and those with a dark screen, have its content", () => {
  const svg = drawDeposits(rows);
  expect(svg).toContain(`role="img" aria-label="${describePicture(rows)}"`);
  const [light = "", dark = ""] = svg.split("@media (prefers-color-scheme: dark)");
  const colored = (text: string) =>
    [...text.matchAll(/\.?([a-z]+) \{[^}]*(?:fill|stroke): #/g)].map(([, name]) => name);
  expect(new Set(colored(dark.split("</style>")[0] ?? ""))).toEqual(new Set(colored(light)));
});
