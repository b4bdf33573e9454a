import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Argument } from "@commander-js/extra-typings";
import { newProgram, runCommander } from "../infra/cli/program.ts";
import { runProgram, type Terminal } from "../infra/cli/runProgram.ts";
import { StageError } from "../infra/cli/stageError.ts";
import { write } from "../infra/cli/terminalOutput.ts";
import { dynamodbLocalLibrary, hasJava } from "../infra/local/dynamodbLocal.ts";

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
  files: () => vitest(["run", ".long.test.ts"]),
  coverage: () => {
    const folders = covered.map((folder) => `test/shared/${folder}`);
    return vitest(["run", "--no-isolate", "--coverage", "--retry", "2", exclude, others, ...folders]);
  },
  "dynamodb-local": async (stdout: Terminal["stdout"]) => {
    if (!hasJava()) {
      write(stdout, "Skipped: DynamoDB Local needs Java 17 or newer, and `java -version` shows none.");
      return;
    }
    dynamodbLocalLibrary();
    // `related` finds the tests that import one of these.
    const related = ["related", "--run", "test/testTable.ts", "test/api/pagination.test.ts"];
    const excluded = `{${others},**/deliveryCosts.test.ts,${withoutEngine}}`;
    await vitest([...related, exclude, excluded], { DYNAMODB_ENGINE: "dynamodb-local" });
  },
};

const names = Object.keys(parts) as (keyof typeof parts)[];

/** The program: runs the named part, or all of them until one fails. */
async function longTests(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram("npm run test:long --", "Runs the tests that take minutes.")
    .addArgument(new Argument("[PART]", "all unless said").choices(names))
    .addHelpText("after", explanation)
    .action(async (part) => {
      for (const name of part ? [part] : names) await parts[name](stdout);
    });
  await runCommander(program, parameters, { stdout });
}

const explanation = `
Parts:
  files           the files named *.long.test.ts
  coverage        the share of lines and branches that tests run, in folders that
                  need no table
  dynamodb-local  tests of the table on DynamoDB Local, which needs Java 17`;

/** @throws StageError if a test fails */
async function vitest(parameters: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const program = join(import.meta.dirname, "..", "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, ...variables };
  const [code] = await once(spawn(process.execPath, [program, ...parameters], { stdio: "inherit", env }), "exit");
  if (code !== 0) throw new StageError("Tests have failed.");
}

if (import.meta.main) process.exitCode = await runProgram(longTests, process.argv.slice(2), process);
