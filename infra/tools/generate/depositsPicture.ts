import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../codegen/generatedFile.ts";
import type { FileTexts } from "./committedFiles.ts";

const guide = "docs/guide/sales-to-deposits.md";
const picture = "docs/guide/sales-to-deposits.svg";

/** A day of the sheet in the guide. Amounts are in cents. */
export interface SheetRow {
  date: string;
  deposited: number;
  low: number;
  high: number;
}

/** Reads the sheet of 30 days in the guide "From sales to deposits". */
export function readSheet(text: string = readFileSync(join(root, guide), "utf8")): SheetRow[] {
  const [, sheet] = /```csv\n([^`]*)\n *```/.exec(text) ?? [];
  if (!sheet) throw new Error(`${guide} has no sheet in CSV: restore it.`);
  const [head = "", ...lines] = sheet.split("\n").map((line) => line.trim());
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const cents = (name: string) => Math.round(100 * Number(cells[names.indexOf(name)]));
    return {
      date: cells[names.indexOf("date")] ?? "",
      deposited: cents("deposited"),
      low: cents("balance_low"),
      high: cents("balance_high"),
    };
  });
}

const [width, height] = [860, 330];
const area = { left: 70, right: 840, top: 20, bottom: 280 } as const;
/** Cents between two lines of the scale. */
const step = 500_000;

const style = `text { font: 13px system-ui, sans-serif; fill: #24292f }
.note { font-size: 12px; fill: #57606a }
.paper { fill: #fff }
.grid { stroke: #d0d7de; stroke-width: 1 }
.range { fill: #9ec9f0; fill-opacity: 0.7; stroke: none }
.low { fill: none; stroke: #1a66ad; stroke-width: 2 }
.deposit { fill: #b3541e }
.count { fill: #fff; stroke: #1a66ad; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .note { fill: #9da7b1 } .paper { fill: #0d1117 } .grid { stroke: #30363d }
  .range { fill: #1f4f80 } .low { stroke: #79b8ff } .deposit { fill: #f0883e }
  .count { fill: #0d1117; stroke: #79b8ff }
}`;

/** What the picture shows, for readers who do not see it. */
export function describePicture(rows: readonly SheetRow[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  const deposits = rows.filter(({ deposited }) => deposited > 0).length;
  return `Cash balance of a shop over ${rows.length} days: it rises with the sales and falls with each of ${deposits} deposits. It starts from a count of ${dollars(first?.low ?? 0)} on ${first?.date}, and is between ${dollars(last?.low ?? 0)} and ${dollars(last?.high ?? 0)} on ${last?.date}.`;
}

/** Draws the range of the balance and the deposits of the days. */
export function drawDeposits(rows: readonly SheetRow[]): string {
  const top = Math.ceil(Math.max(...rows.map(({ high, deposited }) => Math.max(high, deposited))) / step) * step;
  const day = (area.right - area.left) / rows.length;
  const x = (i: number) => round(area.left + day * (i + 0.5));
  const y = (cents: number) => round(area.bottom - ((area.bottom - area.top) * cents) / top);
  const point = (i: number, cents: number) => `${x(i)},${y(cents)}`;
  const lows = rows.map(({ low }, i) => point(i, low));
  const highs = rows.map(({ high }, i) => point(i, high));
  const scale = Array.from({ length: top / step + 1 }, (_, i) => i * step).flatMap((cents) => [
    `<path class="grid" d="M${area.left} ${y(cents)}H${area.right}"/>`,
    `<text class="note" x="${area.left - 8}" y="${y(cents) + 4}" text-anchor="end">${dollars(cents)}</text>`,
  ]);
  const dates = rows.flatMap(({ date }, i) =>
    i % 7 === 0 ? [`<text class="note" x="${x(i)}" y="${area.bottom + 18}" text-anchor="middle">${date}</text>`] : [],
  );
  const deposits = rows.flatMap(({ deposited }, i) => {
    if (deposited <= 0) return [];
    const bar = `x="${round(x(i) - day / 6)}" y="${y(deposited)}" width="${round(day / 3)}" height="${round(area.bottom - y(deposited))}"`;
    return [`<rect class="deposit" ${bar}/>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${describePicture(rows)}">
<style>
${style}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${scale.join("\n")}
${dates.join("\n")}
<polygon class="range" points="${[...highs, ...lows.toReversed()].join(" ")}"/>
${deposits.join("\n")}
<polyline class="low" points="${lows.join(" ")}"/>
<circle class="count" cx="${x(0)}" cy="${y(rows[0]?.low ?? 0)}" r="4"/>
<text x="${x(0) + 8}" y="${y(rows[0]?.low ?? 0) - 8}">count</text>
<path class="low" d="M70 316H94"/><text x="102" y="320">balance_low</text>
<rect class="range" x="210" y="309" width="24" height="14"/><text x="242" y="320">up to balance_high</text>
<rect class="deposit" x="396" y="309" width="8" height="14"/><text x="412" y="320">deposit</text>
</svg>
`;
}

const round = (pixels: number): number => Math.round(10 * pixels) / 10;
const dollars = (cents: number): string => `$${Math.round(cents / 100).toLocaleString("en-US")}`;

/** The picture of the guide "From sales to deposits". */
export const depositsPictureFiles = (): FileTexts => new Map([[picture, drawDeposits(readSheet())]]);
