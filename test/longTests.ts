import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Argument } from "@commander-js/extra-typings";
import { newProgram, runCommander } from "../infra/cli/program.ts";
import { runProgram, type Terminal } from "../infra/cli/runProgram.ts";
import { StageError } from "../infra/cli/stageError.ts";
import { write } from "../infra/cli/terminalOutput.ts";
import { dynamodbLocalLibrary, hasJava } from "../infra/local/dynamodbLocal.ts";
import { forEachConcurrently } from "./bench/forEachConcurrently.ts";
import { findBase, findReducedTests, findTouchedTests, isCommit } from "./touchedTests.ts";

const exclude = "--exclude";
const others = "**/*.{long,emulated}.test.ts";

/** Folders of `shared/` whose tests need no table. vitest.config.ts lists the folders whose coverage counts. */
const covered = [
  "api",
  "auth",
  "domain/documents",
  "domain/licenses",
  "http",
  "platform/crypto",
  "pos",
  "text",
  "time",
];

/** Their tests also use the table, but show nothing about DynamoDB that the tests of other folders do not. */
const withoutEngine = "test/{system/{realRules,simulation},functions,infra,docs,bench}/**";

const parts = {
  files: () => vitest(["run", ".long.test.ts", ...findReducedTests()]),
  coverage: () => {
    const folders = covered.map((folder) => `test/shared/${folder}`);
    return vitest([
      "run",
      "--mode",
      "reduced",
      "--no-isolate",
      "--coverage",
      "--retry",
      "2",
      exclude,
      others,
      ...folders,
    ]);
  },
  "dynamodb-local": async (stdout: Terminal["stdout"]) => {
    if (!hasJava()) {
      write(stdout, "Skipped: DynamoDB Local needs Java 17 or newer, and `java -version` shows none.");
      return;
    }
    dynamodbLocalLibrary();
    // `related` finds the tests that import it.
    const excluded = `{${others},**/deliveryCosts.test.ts,${withoutEngine}}`;
    const engine = { DYNAMODB_ENGINE: "dynamodb-local" };
    await vitest(["related", "--run", "--mode", "reduced", "test/testTable.ts", exclude, excluded], engine);
    await vitest(["run", "test/api/pagination.long.test.ts"], engine);
  },
};

const names = Object.keys(parts) as (keyof typeof parts)[];

/** No further file begins after this time, so that a pull request is checked within minutes. Those that still run then end. */
const maxTouchedMs = 120_000;

/** The program: runs the named part, or all of them until one fails. */
async function longTests(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram("npm run test:long --", "Runs the tests that take minutes.")
    .addArgument(new Argument("[PART]", "all but touched, if none is named").choices([...names, "touched"]))
    .option("--since <COMMIT>", "touched: the commit before the change (default: CI_BASE, or where main was)")
    .addHelpText("after", explanation)
    .action(async (part, { since }) => {
      if (part === "touched") await touched(since ?? findBase(), stdout);
      else for (const name of part ? [part as keyof typeof parts] : names) await parts[name](stdout);
    });
  await runCommander(program, parameters, { stdout });
}

const explanation = `
Parts:
  files           the files named *.long.test.ts, and all cases of tests
                  that take only a few of them in npm test
  touched         those of them that a change concerns, for two minutes; those
                  left out are named
  coverage        the share of lines and branches that tests run, in folders that
                  need no table
  dynamodb-local  tests of the table on DynamoDB Local, which needs Java 17`;

/** @throws StageError that lists the files whose tests failed */
async function touched(base: string | undefined, stdout: Terminal["stdout"]): Promise<void> {
  if (base === undefined) {
    write(stdout, "Skipped: git has no commit before the change here. Name one with --since, or fetch the history.");
    return;
  }
  if (!isCommit(base)) throw new StageError(`--since must be a commit that git has here, not ${base}.`);
  const files = findTouchedTests(base);
  write(stdout, `${files.length} files of long tests are touched by the changes since ${base.slice(0, 12)}.`);
  const end = AbortSignal.timeout(maxTouchedMs);
  const failed: string[] = [];
  const late: string[] = [];
  await forEachConcurrently(2, files, async (file) => {
    const { passed, output } = end.aborted ? nothing : await runFile(file, end);
    if (end.aborted && !passed) {
      late.push(file);
      return;
    }
    // Vitest's own output keeps its lines and colors.
    stdout.write(`${output}\n`);
    if (!passed) failed.push(file);
  });
  if (late.length) write(stdout, "Left to .ci/nightly after two minutes:", ...late.map((file) => `  ${file}`));
  if (failed.length) throw new StageError(`Tests have failed in ${failed.join(", ")}.`);
}

const nothing = { passed: false, output: "" };

/**
 * Runs one file with one worker. Its output is kept together, since another file runs at the same time.
 *
 * @param end ends the run
 */
async function runFile(file: string, end: AbortSignal): Promise<{ passed: boolean; output: string }> {
  const parameters = [vitestProgram, "run", "--maxWorkers", "1", file];
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { maxBuffer: 2 ** 26, signal: end }, (error, stdout, stderr) =>
      resolve({ passed: !error, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

const vitestProgram = join(import.meta.dirname, "..", "node_modules", "vitest", "vitest.mjs");

/** @throws StageError if a test fails */
async function vitest(parameters: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = { ...process.env, ...variables };
  const [code] = await once(spawn(process.execPath, [vitestProgram, ...parameters], { stdio: "inherit", env }), "exit");
  if (code !== 0) throw new StageError("Tests have failed.");
}

if (import.meta.main) process.exitCode = await runProgram(longTests, process.argv.slice(2), process);
