import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";

/**
 * Asks a question that only a "y" or "yes" answers.
 *
 * @throws StageError for any other answer, or when there is nobody to ask
 */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new StageError(`${question} Nobody can be asked here: say --yes to do it.`);
  stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin });
  try {
    // Without a line when the input ends first.
    const { value: answer = "" } = await lines[Symbol.asyncIterator]().next();
    if (!/^y(es)?$/i.test(answer.trim())) throw new StageError("Nothing was changed.");
  } finally {
    lines.close();
  }
}

/** Reads a secret: the first line of the input. At a terminal it is asked for, and not shown. */
export async function readSecretLine({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) stderr.write(`${prompt}: `);
  const lines = createInterface({ input: stdin, ...(stdin.isTTY && { output: unseen, terminal: true }) });
  try {
    const { value: line = "" } = await lines[Symbol.asyncIterator]().next();
    return line.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}

/** Writes a text, without its styles where the stream shows none. */
export function write(stream: NodeJS.WritableStream, text: string): void {
  const shown = styleText("bold", text, { stream }) === text ? stripVTControlCharacters(text) : text;
  stream.write(shown);
}

/** A heading; bold where it is written to a terminal. */
export function title(text: string): string {
  return styleText("bold", text, { validateStream: false });
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
