import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { type Styled, shown } from "../../cli/terminalOutput.ts";

/** Asks a question. Only "y" or "yes" confirms. @throws StageError for any other answer, or if stdin is not a terminal */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new StageError(`${question} The input is not a terminal: add --yes to confirm.`);
  stderr.write(`${shown(stderr, question)} [y/N] `);
  const lines = createInterface({ input: stdin });
  try {
    // There is no line if the input ends first.
    const { value: answer = "" } = await lines[Symbol.asyncIterator]().next();
    if (!/^y(es)?$/i.test(answer.trim())) throw new StageError("Nothing was changed.");
  } finally {
    lines.close();
  }
}

/** Reads a secret from the first line of the input. A terminal shows a prompt and hides the secret. */
export async function readSecretLine({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) stderr.write(`${shown(stderr, prompt)}: `);
  const lines = createInterface({ input: stdin, ...(stdin.isTTY && { output: unseen, terminal: true }) });
  // A hidden input also hides Ctrl-C from the terminal.
  lines.once("SIGINT", () => {
    lines.close();
    process.kill(process.pid, "SIGINT");
  });
  try {
    const { value: line = "" } = await lines[Symbol.asyncIterator]().next();
    return line.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}

/** A heading, bold on a terminal. */
export const title = (text: string): Styled => ({ style: "bold", text });

/** Lines with a name and a value each; the values are aligned. */
export function facts(values: Readonly<Record<string, string | number | null | undefined>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `  ${name.padEnd(width)}  ${value ?? "-"}`);
}
