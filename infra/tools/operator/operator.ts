import { completionCommand } from "../../cli/completion.ts";
import { dataOption, newProgram, runCommander, stageOption } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { write } from "../../cli/terminalOutput.ts";
import { operatorCommands } from "./commands/commands.ts";
import { recordCommand } from "./recordCommand.ts";
import { resolveRecords } from "./resolveRecords.ts";
import type { Session } from "./session.ts";
import { openTarget, requireStoredFormat, type Target } from "./target.ts";
import { confirm, readSecretLine } from "./terminal.ts";

/** Runs the named command on the named stage. */
export async function operator(parameters: readonly string[], terminal: Terminal): Promise<void> {
  const program = newProgram("npm run operator --", "Operates a stage: its service providers, businesses, and records.")
    .addOption(stageOption())
    .addOption(dataOption())
    .option("--yes", "confirms every question, for scripts")
    .option("--wide", "shows tables with all columns and whole ids, however wide the terminal is");
  let target: Target | undefined;
  const session: Session = {
    get target() {
      target ??= openTarget(program.opts());
      return target;
    },
    confirm: async (question) => {
      const { stage, yes } = program.opts();
      if (!yes) await confirm(terminal, stage === "local" ? question : `Stage ${stage}: ${question}`);
    },
    readSecret: (prompt) => readSecretLine(terminal, prompt),
    print: (...lines) => write(terminal.stdout, ...lines),
    stdout: terminal.stdout,
    get screen() {
      return program.opts().wide ? {} : terminal.stdout;
    },
  };
  for (const command of operatorCommands(session)) {
    command.hook("preAction", async (_, action) => {
      await requireStoredFormat(session.target);
      // The command is in the access log before its first read, and again with the records that its names stand for.
      await recordCommand(action, session.target);
      if (await resolveRecords(action, () => session.target.table)) await recordCommand(action, session.target);
    });
    program.addCommand(command);
  }
  program.addCommand(completionCommand("operator", program, session.print).helpGroup("Shell:"));
  try {
    await runCommander(program, parameters, terminal);
  } finally {
    target?.close();
  }
}

if (import.meta.main) process.exitCode = await runProgram(operator, process.argv.slice(2), process);
