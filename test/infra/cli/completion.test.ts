import { execFileSync } from "node:child_process";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { completionCommand } from "../../../infra/cli/completion.ts";
import { newProgram, runCommander } from "../../../infra/cli/program.ts";

/** The script for a shell, of a program with groups of commands. */
async function scriptFor(shell: string): Promise<string> {
  const lines: string[] = [];
  const list = newProgram("list", "Lists a bank's things: all.").argument("<NAME>").option("--only <KIND>", "one kind");
  const program = newProgram("npm run try --")
    .option("--stage <NAME>", "a stage")
    .addCommand(newProgram("thing").addCommand(list).addCommand(newProgram("lint")))
    .addCommand(newProgram("upload").option("--all", "all"));
  program.addCommand(completionCommand("try", program, (...more) => void lines.push(...more)));
  await runCommander(program, ["completion", shell], { stdout: new Writable() });
  return lines.join("\n");
}

/** The words that bash offers for the last, incomplete one of these words. */
const offered = (script: string, ...words: string[]) =>
  execFileSync(
    "bash",
    ["-c", `${script}\nCOMP_WORDS=(try "$@"); COMP_CWORD=$#; _try; echo "\${COMPREPLY[*]}"`, "bash", ...words],
    { encoding: "utf8" },
  ).trimEnd();

test.each([
  [[""], "thing upload completion"],
  [["t"], "thing"],
  [["thing", "li"], "list lint"],
  [["--stage", "thing", "thing", "lis"], "list"],
  [["thing", "list", "--"], "--only --stage --version --help"],
  [["upload", "--a"], "--all"],
  [["completion", ""], "bash zsh"],
  // Nothing: bash then offers names of files.
  [["upload", ""], ""],
  [["thing", "list", "--only", ""], ""],
  [["thing", "list", "Kim", "--stage", "l"], ""],
  [["nothing", "x"], ""],
])("after %j, bash offers %j", async (words, expected) => {
  expect(offered(await scriptFor("bash"), ...words)).toBe(expected);
});

test("the script for zsh describes commands, with quotes that the shell can read", async () => {
  const script = await scriptFor("zsh");
  expect(script).toContain(`'thing') names=('list:Lists a bank'\\''s things: all.' 'lint:')`);
  expect(script).toContain("'thing:list, lint'");
});
