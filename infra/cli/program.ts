import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { styleText } from "node:util";
import { Command, CommanderError, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { Terminal } from "./runProgram.ts";
import { StageError } from "./stageError.ts";
import { write } from "./terminalOutput.ts";

/**
 * Creates a program or a command, without arguments, options and action.
 *
 * @param name how a user invokes it, such as `npm run smoke --`
 */
export const newProgram = (name: string, description = "") =>
  new Command(name).description(description).helpOption("--help", "shows this help").helpCommand(false);

export const dataOption = () =>
  new Option("--data <DIR>", "data directory of the local stage")
    .argParser(directory)
    .default(resolve(".local"), ".local");

/** The stage that a program works on. */
export const stageOption = () =>
  new Option(
    "--stage <NAME>",
    "local, or a deployed stage NAME; first read .deployed/NAME.env into the environment",
  ).default("local");

/** @throws StageError */
function directory(text: string): string {
  if (text === "") throw new StageError("--data must name a directory.");
  return resolve(text);
}

/** Parses an option that may be repeated into a list of all its values. */
export const each = (text: string, before: string[] = []): string[] => [...before, text];

/** Parses an option with an integer value. @param option its name, for the message */
export const integer =
  (option: string, least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new StageError(`${option} must be an integer from ${least} to ${most}.`);
    }
    return number;
  };

/**
 * Runs a program with the given parameters. Runs the action of the named command, or prints the help on stdout.
 *
 * @throws StageError in one line for invalid parameters, with a suggestion if there is one; also the errors of the action
 */
export async function runCommander(
  program: CommandUnknownOpts,
  parameters: readonly string[],
  { stdout }: Pick<Terminal, "stdout">,
): Promise<void> {
  for (const command of commandsIn(program)) prepare(command, program, stdout);
  rejectMissingValues(program, parameters);
  try {
    await program.parseAsync([...parameters], { from: "user" });
  } catch (error) {
    // Exit code 0: commander has printed the help.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
}

/**
 * Parses the options and arguments of this process, for a program that is a script. Ends the process with exit code 0
 * after it has printed the help, and with exit code 1 for invalid parameters.
 */
export function parseOrExit<Program extends CommandUnknownOpts>(program: Program): Program {
  try {
    for (const command of commandsIn(program)) prepare(command, program, process.stdout);
    rejectMissingValues(program, process.argv.slice(2));
    program.parse();
    return program;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
    if (!(error instanceof StageError)) throw error;
    write(process.stderr, error.message);
    process.exit(1);
  }
}

/** The version of the project, such as 1.0.0. */
const version = (): string => JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;

/** A command and all its subcommands, at any depth. */
export const commandsIn = (command: CommandUnknownOpts): CommandUnknownOpts[] => [
  command,
  ...command.commands.flatMap(commandsIn),
];

const isLeaf = ({ commands }: CommandUnknownOpts) => commands.length === 0;

/** The names of a command's parents, then the name of the command. */
export const pathOf = (command: CommandUnknownOpts): string[] => [
  ...(command.parent ? pathOf(command.parent) : []),
  command.name(),
];

function prepare(command: CommandUnknownOpts, program: CommandUnknownOpts, stdout: Terminal["stdout"]): void {
  if (command === program) command.version(version(), "--version", "shows the version of this checkout");
  command
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      // Commander's own output of errors is dropped: `exitOverride` throws each error.
      writeErr: () => undefined,
      getOutHelpWidth: () => (stdout.isTTY ? stdout.columns || 80 : 80),
      // Commander must not remove colors: `styleText` decides whether the stream gets them.
      getOutHasColors: () => true,
    })
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      visibleCommands: (shown) => commandsIn(shown).filter((one) => one !== shown && isLeaf(one)),
      subcommandTerm: (shown) => pathOf(shown).slice(pathOf(program).length).join(" "),
      styleTitle: (text) => styleText("bold", text, { stream: stdout }),
    })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new StageError(reasonOf(error, command));
    });
}

/**
 * Rejects an option that needs a value and is followed by another option. Commander would take the second option as the
 * value of the first, and the second would have no effect.
 */
function rejectMissingValues(program: CommandUnknownOpts, parameters: readonly string[]): void {
  const options = commandsIn(program).flatMap((command) => command.options);
  const flags = new Set(["--help", ...options.map(({ long }) => long)]);
  for (const [i, parameter] of parameters.entries()) {
    const option = options.find(({ long, required }) => required && long === parameter);
    if (option && flags.has(parameters[i + 1] ?? "")) throw new StageError(`Option '${option.flags}' needs a value.`);
  }
}

/** Matches a secret of this service, which a user may have passed as a parameter by mistake. */
const secret = /\b(sk|at|iv|whsec)_[^\s']+/g;

/** Why commander rejects the parameters, without text that may be a secret. */
function reasonOf({ code, message }: CommanderError, command: CommandUnknownOpts): string {
  const path = pathOf(command).join(" ");
  const typed = path.replace(/ --$/, "");
  const help = `See ${path} --help`;
  if (code === "commander.help") {
    const names = command.commands.map((one) => one.name()).join(", ");
    return `Add a command to ${typed}: ${names}. ${help}`;
  }
  if (code === "commander.excessArguments") {
    return `Too many arguments for ${typed}. ${help}`;
  }
  const [, what = "", suggestion] =
    /^error: ([\s\S]*?)\.?(?:\n\((Did you mean [^\n]*\?)\))?$/.exec(message.replaceAll(secret, "$1_…")) ?? [];
  const [flag] = (code === "commander.unknownOption" && /--[\w-]+/.exec(what)) || [];
  const isOther = commandsIn(command).some(({ options }) => options.some(({ long }) => long === flag));
  return [
    `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
    ...(suggestion ? [suggestion] : []),
    ...(isOther ? ["Put the options of a command after its name."] : []),
    help,
  ].join(" ");
}
