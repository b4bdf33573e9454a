import { Readable, Writable } from "node:stream";
import { runProgram } from "../../../infra/cli/runProgram.ts";

/**
 * Runs a program in this process, as npm runs it in a separate one, and restores the environment afterwards.
 * @param typed the text that is typed at its terminal before the input ends; if absent, the input is no terminal
 */
export async function runHere(
  program: Parameters<typeof runProgram>[0],
  parameters: readonly string[],
  typed?: string,
): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const into = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk;
        done();
      },
    });
  const stdin = Object.assign(Readable.from(typed ? [typed] : []), { isTTY: typed !== undefined });
  const environment = process.env;
  process.env = { ...environment };
  try {
    const code = await runProgram(program, parameters, { stdin, stdout: into("out"), stderr: into("err") });
    return { code, ...written };
  } finally {
    process.env = environment;
  }
}
