import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { type Styled, shown } from "../../cli/terminalOutput.ts";

/**
 * Asks a question that only a "y" or "yes" answers.
 *
 * @throws StageError for any other answer, or when there is nobody to ask
 */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new StageError(`${question} This is no terminal: add --yes to confirm.`);
  stderr.write(`${shown(stderr, question)} [y/N] `);
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
  if (stdin.isTTY) stderr.write(`${shown(stderr, prompt)}: `);
  const lines = createInterface({ input: stdin, ...(stdin.isTTY && { output: unseen, terminal: true }) });
  try {
    const { value: line = "" } = await lines[Symbol.asyncIterator]().next();
    return line.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}

/** A heading; bold where it is written to a terminal. */
export const title = (text: string): Styled => ({ style: "bold", text });

/** Lines of names and values, the values below each other. */
export function facts(values: Readonly<Record<string, string | number | null | undefined>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `  ${name.padEnd(width)}  ${value ?? "-"}`);
}
