import { ServiceError } from "../../shared/api/errors.ts";
import { StageError } from "../local/stageError.ts";

/**
 * Runs a program for a person at a terminal: what they can mend is told in one line, all else with its stack; exit code
 * 1 for both.
 */
export async function runProgram(program: (parameters: readonly string[]) => Promise<void>): Promise<void> {
  // Whoever read the output may be gone, as with `… | head`.
  process.stdout.on("error", () => undefined);
  try {
    await program(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`);
    process.exitCode = 1;
  }
}

function lineOf(error: unknown): string | undefined {
  if (error instanceof StageError) return error.message;
  if (error instanceof ServiceError && error.kind === "unavailable") return "The table cannot be reached.";
  return (error as Error).stack;
}
