import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { StageError } from "../local/stageError.ts";

/** Asks a question that only a "y" or "yes" answers. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new StageError(`${question} Nobody can be asked here: say --yes to do it.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new StageError("Nothing was changed.");
  } finally {
    terminal.close();
  }
}

/** A heading; bold on a terminal. */
export function title(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}

/** Lines of names and values, the values below each other. */
export function facts(values: Readonly<Record<string, string | number | null | undefined>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `  ${name.padEnd(width)}  ${value ?? "-"}`);
}

/** Rows of a table below their headings, columns as wide as they must be. */
export function columns(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [title(line(headings)), ...rows.map(line)];
}
