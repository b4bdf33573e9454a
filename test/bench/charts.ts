import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { join } from "node:path";
import { type ChartName, type Curve, count } from "./bench.ts";

/** The labels of a chart. Both of its axes are logarithmic. */
interface Chart {
  title: string;
  y: string;
}

const charts: Record<ChartName, Chart> = {
  pageUnits: { title: "What a page of customers costs, by length of the list", y: "read units" },
  pageTime: { title: "A page of 1,000 customers at offset N - 1,000", y: "milliseconds" },
  filterUnits: { title: "What filters and searches cost, by length of the list", y: "read units" },
};

const width = 960;
const height = 460;
const plot = { left: 80, right: 560, top: 84, bottom: 380 };
const colors = ["#1f77c9", "#d1661a", "#2c9a5b", "#8f5bd1"];

/** Draws each chart that has curves of two points or more into a folder, as `<name>.svg`. */
export function drawCharts(curves: readonly Curve[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(charts) as ChartName[]) {
    const lines = curves.filter(({ chart, points }) => chart === name && points.length > 1);
    if (lines.length > 0) writeFileSync(join(folder, `${name}.svg`), svg(charts[name], lines));
  }
}

function svg({ title, y }: Chart, lines: readonly Curve[]): string {
  const points = lines.flatMap((line) => line.points);
  const across = scale(
    points.map((point) => point.x),
    plot.left,
    plot.right,
  );
  const up = scale(
    points.map((point) => point.y),
    plot.bottom,
    plot.top,
  );
  const labels = apart(lines.map(({ points }) => up.at(points.at(-1)?.y ?? 1)));
  const parts = [
    `<text class="title" x="24" y="32">${title}</text>`,
    `<text class="note" x="24" y="54">${machine()}</text>`,
    ...across.marks.map(
      (mark) =>
        `<text x="${across.at(mark)}" y="${plot.bottom + 22}" text-anchor="middle">${count(mark)}</text>` +
        `<path class="grid" d="M${across.at(mark)} ${plot.top}V${plot.bottom}"/>`,
    ),
    ...up.marks.map(
      (mark) =>
        `<text x="${plot.left - 10}" y="${up.at(mark) + 4}" text-anchor="end">${count(mark)}</text>` +
        `<path class="grid" d="M${plot.left} ${up.at(mark)}H${plot.right}"/>`,
    ),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 50}" text-anchor="middle">N, records in the list</text>`,
    `<text transform="translate(22 ${(plot.top + plot.bottom) / 2}) rotate(-90)" text-anchor="middle">${y}</text>`,
    ...lines.map(({ line, points }, i) => {
      const color = colors[i % colors.length];
      const places = points.map((point) => `${across.at(point.x)} ${up.at(point.y)}`);
      const last = points.at(-1)?.y ?? 0;
      const pen = `fill="none" stroke="${color}" stroke-width="2.5"${i % 2 ? ' stroke-dasharray="6 4"' : ""}`;
      const label = labels[i] ?? 0;
      return [
        `<path d="M${places.join("L")}" ${pen}/>`,
        ...places.map((place) => {
          const [cx, cy] = place.split(" ");
          return `<circle cx="${cx}" cy="${cy}" r="4" fill="${color}"/>`;
        }),
        `<path d="M${plot.right + 14} ${label - 4}h22" ${pen}/>`,
        `<text class="line" x="${plot.right + 44}" y="${label}">${line}: ${count(Number(last.toPrecision(3)))}</text>`,
      ].join("");
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px system-ui, sans-serif; fill: #333 }
.title { font-size: 18px; font-weight: 600; fill: #111 }
.note { font-size: 12px; fill: #666 }
.line { font-size: 12px; fill: #333 }
.paper { fill: #fff }
.grid { stroke: #8884; stroke-width: 1 }
@media (prefers-color-scheme: dark) { text, .line { fill: #ccc } .title { fill: #fff } .note { fill: #999 } .paper { fill: #16181d } }
</style>
<rect class="paper" width="${width}" height="${height}"/>
${parts.join("\n")}
</svg>
`;
}

/**
 * A logarithmic scale over the given values, with a tick at each power of ten from just below the lowest to just above the
 * highest.
 */
function scale(values: readonly number[], start: number, end: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) => round(start + ((Math.log10(value) - low) / (high - low)) * (end - start));
  return { at, marks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) };
}

/** Heights of the labels at the ends of lines, moved apart if they would overlap. */
function apart(ends: readonly number[]): number[] {
  const heights = [...ends];
  const order = [...ends.keys()].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  for (const [i, line] of order.entries()) {
    const above = heights[order[i - 1] ?? -1];
    if (above !== undefined) heights[line] = Math.max(heights[line] ?? 0, above + 18);
  }
  return heights.map((place) => round(place + 4));
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The machine and software of the run. */
function machine(): string {
  const { version } = createRequire(import.meta.url)(`@dynoxide/${process.platform}-${process.arch}/package.json`);
  const [core] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores, ${core?.model.trim()}; Node ${process.versions.node}, dynoxide ${version}; ${day}`;
}
