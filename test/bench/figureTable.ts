import { count, type Figure } from "./bench.ts";

/** Formats the figures as a table with the columns figure, measured, bar and holds. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = [
    ["Figure", "Measured", "Bar", "Holds"],
    ...figures.map(({ name, value, unit, bar, holds }) => [
      name,
      `${count(value)} ${unit}`,
      bar ?? "reported",
      bar === null ? "" : holds ? "yes" : "NO",
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  const [head = [], ...body] = rows;
  return `\n${line(head)}\n${widths.map((width) => "-".repeat(width)).join("  ")}  -----\n${body.map(line).join("\n")}\n`;
}
