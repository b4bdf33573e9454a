import { newProgram, runCommander } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { newOperation } from "./newOperation/newOperation.ts";
import { newPos } from "./newPos/newPos.ts";

/** Writes the first version of an operation or of a connector. */
async function writeNew(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram("npm run new --", "Writes new source files that work as they are, for you to complete.")
    .addCommand(newOperation(stdout))
    .addCommand(newPos(stdout));
  await runCommander(program, parameters, { stdout });
}

if (import.meta.main) process.exitCode = await runProgram(writeNew, process.argv.slice(2), process);
