import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { commandsIn, newProgram, pathOf } from "./program.ts";

/**
 * Creates a command that prints a script for a shell. The script defines a function of the program's name, and completes
 * the commands and options that follow it. Other words complete as names of files.
 *
 * @param name of the npm script that starts the program, and of the function
 * @param program has all its commands when the command runs
 */
export const completionCommand = (
  name: string,
  program: CommandUnknownOpts,
  print: (...lines: readonly string[]) => void,
) =>
  newProgram("completion", `Prints a script for a shell that defines \`${name}\` and completes its commands.`)
    .addArgument(new Argument("<SHELL>", "bash or zsh").choices(["bash", "zsh"]))
    .addHelpText(
      "after",
      `\nKeep the script, and read it when a shell starts:\n  npm run --silent ${name} -- completion bash > ~/.${name}-completion\n  echo '. ~/.${name}-completion' >> ~/.bashrc\n\`${name}\` then works in the folder of the project.`,
    )
    .action((shell) => {
      const script = shell === "bash" ? bashScript : zshScript;
      print(...script(name, program).trimEnd().split("\n"));
    });

/** A word that may follow, and its meaning. */
type Choice = readonly [word: string, meaning: string];

/** What may follow a command. `path` has the names of groups and of the command. */
interface Choices {
  path: string;
  words: Choice[];
  options: Choice[];
}

function choicesIn(program: CommandUnknownOpts): Choices[] {
  const optionsOf = ({ options }: CommandUnknownOpts): Choice[] =>
    options.flatMap(({ long, description }) => (long ? [[long, description] as const] : []));
  const meaningOf = (command: CommandUnknownOpts) =>
    command.commands.map((each) => each.name()).join(", ") || command.description();
  return commandsIn(program).map((command) => ({
    path: pathOf(command).slice(pathOf(program).length).join(" "),
    words: [
      ...command.commands.map((each): Choice => [each.name(), meaningOf(each)]),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word): Choice => [word, word])),
    ],
    options: [...(command === program ? [] : optionsOf(command)), ...optionsOf(program), ["--help", "shows this help"]],
  }));
}

const valueOptions = (program: CommandUnknownOpts): string[] => [
  ...new Set(
    commandsIn(program).flatMap(({ options }) =>
      options.flatMap(({ long, required }) => (long && required ? [long] : [])),
    ),
  ),
];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The lines of a `case` that follows the typed words from command to command, for both shells. */
const walk = (choices: readonly Choices[]): string => {
  const paths = choices.flatMap(({ path }) => (path === "" ? [] : [quoted(path)]));
  return `    case "\${typed:+$typed }$word" in\n      ${paths.join("|")}) typed="\${typed:+$typed }$word" ;;\n    esac`;
};

/** The lines of a `case` that names what may follow each command. */
const cases = (choices: readonly Choices[], list: (choices: readonly Choice[]) => string): string =>
  choices
    .map(({ path, words, options }) => `    ${quoted(path)}) names=${list(words)} flags=${list(options)} ;;`)
    .join("\n");

const bashScript = (name: string, program: CommandUnknownOpts): string => {
  const choices = choicesIn(program);
  return `${name}() { npm run --silent ${name} -- "$@"; }

_${name}() {
  local word names flags typed="" current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${valueOptions(program).join("|")}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${walk(choices)}
  done
  case "$typed" in
${cases(choices, (list) => quoted(list.map(([word]) => word).join(" ")))}
  esac
  case "$current" in -*) names="$flags" ;; esac
  COMPREPLY=($(compgen -W "$names" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
};

const zshScript = (name: string, program: CommandUnknownOpts): string => {
  const choices = choicesIn(program);
  return `${name}() { npm run --silent ${name} -- "$@"; }

_${name}() {
  local word typed=""
  local -a names flags
  case "\${words[CURRENT-1]}" in
    ${valueOptions(program).join("|")}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
${walk(choices)}
  done
  case "$typed" in
${cases(choices, (list) => `(${list.map(([word, meaning]) => quoted(`${word}:${meaning}`)).join(" ")})`)}
  esac
  case "\${words[CURRENT]}" in -*) names=("\${flags[@]}") ;; esac
  _describe -V ${name} names || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _${name} ${name}
`;
};
