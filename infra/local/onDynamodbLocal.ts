import { spawnSync } from "node:child_process";
import { dynamodbLocalLibrary, hasJava } from "./dynamodbLocal.ts";

/**
 * Runs the command that its parameters are on DynamoDB Local, which is fetched before. Without Java it is left out, with a
 * line that says so.
 */
function main([command = "", ...parameters]: readonly string[]): number {
  if (!hasJava()) {
    console.log("Left out: DynamoDB Local needs Java 17 or newer, and `java -version` shows none.");
    return 0;
  }
  dynamodbLocalLibrary();
  const env = { ...process.env, DYNAMODB_ENGINE: "dynamodb-local" };
  return spawnSync(command, parameters, { stdio: "inherit", env, shell: process.platform === "win32" }).status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
