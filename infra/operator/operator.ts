import { resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { UUID } from "../../shared/api/patterns.ts";
import { optionsOf } from "../local/optionsOf.ts";
import { runProgram, type Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";
import { type Line, write } from "../local/write.ts";
import type { Command, Options } from "./command.ts";
import { commands } from "./commands/commands.ts";
import { openTarget } from "./target.ts";
import { confirm, readSecretLine, title } from "./terminal.ts";

const hint = "See npm run operator -- --help";

/** The program: does what its parameters name on the stage that they name. */
export async function operator(parameters: readonly string[], terminal: Terminal): Promise<void> {
  const command = commandOf(parameters);
  const { values, positionals } = parse(parameters, command);
  if (values.help || parameters.length === 0) {
    write(terminal.stdout, ...(command ? helpOf(command) : help()));
    return;
  }
  if (!command) throw new StageError(`Unknown command ${positionals.slice(0, 2).join(" ") || parameters[0]}. ${hint}`);
  const given = positionals.slice(wordsOf(command).length);
  if (given.length !== command.parameters.length) {
    throw new StageError(`It is npm run operator -- ${[command.name, ...command.parameters].join(" ")}. ${hint}`);
  }
  const { options = {} } = command;
  const chosen: Options = Object.fromEntries(
    Object.keys(options).map((name) => [name, values[name] === true ? [] : (values[name] as string[])]),
  );
  const ids = given.map((text, i) => idOr(command.parameters[i] ?? "", text));
  for (const [name, { value = "" }] of Object.entries(options))
    for (const text of chosen[name] ?? []) idOr(value, text);
  const stage = String(values.stage);
  const target = openTarget({ stage, data: resolve(String(values.data)) });
  const where = stage === "local" ? "" : `Stage ${stage}: `;
  try {
    await command.run(
      {
        target,
        confirm: async (question) => (values.yes ? undefined : confirm(terminal, `${where}${question}`)),
        readSecret: (prompt) => readSecretLine(terminal, prompt),
        print: (...lines) => write(terminal.stdout, ...lines),
        stdout: terminal.stdout,
      },
      ids,
      chosen,
    );
  } finally {
    target.close();
  }
}

const common: ParseArgsOptionsConfig = {
  stage: { type: "string", default: "local" },
  data: { type: "string", default: ".local" },
  yes: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};

const wordsOf = ({ name }: Command) => name.split(" ");

/** The command whose words come first among the parameters that are no options. */
function commandOf(parameters: readonly string[]): Command | undefined {
  const { positionals } = parseArgs({ args: [...parameters], options: common, strict: false, allowPositionals: true });
  return commands.find((command) => wordsOf(command).every((word, i) => word === positionals[i]));
}

function parse(parameters: readonly string[], command: Command | undefined) {
  const own: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(command?.options ?? {}).map(([name, { value }]) => [
      name,
      value ? { type: "string", multiple: true } : { type: "boolean" },
    ]),
  );
  const options: ParseArgsOptionsConfig = { ...common, ...own };
  return optionsOf(parameters, hint, { options, allowPositionals: true, strict: command !== undefined });
}

/** A parameter named as an id, in lower case; any other as it is. */
function idOr(name: string, text: string): string {
  const [id = "", dash] = name.split("|");
  if (!id.endsWith("_ID") || text === dash) return text;
  if (!UUID.test(text)) throw new StageError(`${id} must be a uuid${dash ? `, or ${dash}` : ""}.`);
  return text.toLowerCase();
}

function help(): Line[] {
  return [
    "The operator's program.",
    "",
    "  npm run operator -- COMMAND [options]",
    "",
    title("Commands"),
    ...commands.flatMap(({ name, parameters, summary }) => [
      `  ${[name, ...parameters].join(" ")}`,
      `      ${summary}`,
    ]),
    "",
    title("Options of all"),
    ...commonHelp,
    "",
    "npm run operator -- COMMAND --help shows those of one command.",
  ];
}

const commonHelp = [
  "  --stage NAME   local (the default), or a deployed stage, whose .deployed/NAME.env is in the environment",
  "  --data DIR     the local stage's data directory, default .local",
  "  --yes          does what takes something away without asking",
  "  --help         shows this",
];

function helpOf({ name, parameters, summary, options = {} }: Command): Line[] {
  const own = Object.entries(options).map(
    ([option, { value, meaning }]) => `  --${[option, ...(value ? [value] : [])].join(" ")}   ${meaning}`,
  );
  const usage = `  npm run operator -- ${[name, ...parameters].join(" ")} [options]`;
  return [summary, "", usage, "", ...own, ...commonHelp];
}

if (import.meta.main) process.exitCode = await runProgram(operator, process.argv.slice(2), process);
