import { ServiceError } from "../../shared/api/errors.ts";
import { LeaseHeldError } from "../../shared/domain/replication/withReplicationLease.ts";
import { StageError } from "./stageError.ts";
import { write } from "./terminalOutput.ts";

/** The streams of a program: those of the process, or replacements in tests. */
export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: NodeJS.WritableStream;
}

/**
 * Runs a program for a person at a terminal. If the person can correct an error, prints it as one line. Prints any
 * other error with its stack.
 *
 * @returns the exit code: 1 after any error, otherwise 0
 */
export async function runProgram(
  program: (parameters: readonly string[], terminal: Terminal) => Promise<void>,
  parameters: readonly string[],
  terminal: Terminal,
): Promise<0 | 1> {
  // The reader of the output may have ended, as in `… | head`.
  terminal.stdout.on("error", () => undefined);
  try {
    await program(parameters, terminal);
    return 0;
  } catch (error) {
    write(terminal.stderr, ...linesOf(error));
    return 1;
  }
}

function linesOf(error: unknown): string[] {
  if (error instanceof StageError) return [error.message];
  if (error instanceof ServiceError && error.cause instanceof LeaseHeldError)
    return ["A replication of this business is running. Run the same command again: it goes on where it stopped."];
  if (error instanceof ServiceError && error.kind === "unavailable")
    return ["The table or the bucket of the stage cannot be reached. Check the network and the AWS credentials."];
  return (error as Error).stack?.split("\n") ?? [String(error)];
}
