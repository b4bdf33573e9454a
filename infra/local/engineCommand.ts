import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dynamodbLocalLibrary, hasJava } from "./dynamodbLocal.ts";

/** Those that dynoxide has a package for, as the `optionalDependencies` of package.json name them. */
const dynoxidePlatforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/** What tells which engine a machine can run. */
interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** Where npm puts packages. */
  modules: string;
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  modules: fileURLToPath(new URL("../../node_modules", import.meta.url)),
};

/**
 * The program and parameters of a DynamoDB engine: dynoxide, which comes with the other packages. Where it has none for the
 * platform, or DYNAMODB_ENGINE is `dynamodb-local`, it is DynamoDB Local, which is fetched when it is asked for first.
 *
 * @param dataFile where data is kept; in memory when absent
 * @throws Error with a one-line message that says what to install, when there is no such engine on this machine
 */
export function engineCommand(port: number, dataFile?: string, machine = thisMachine): [string, string[]] {
  const dynoxide = dynoxideBinary(machine);
  if (existsSync(dynoxide) && process.env.DYNAMODB_ENGINE !== "dynamodb-local") {
    return [dynoxide, ["--port", String(port), ...(dataFile ? ["--db-path", dataFile] : [])]];
  }
  if (!hasJava()) throw new Error(noEngine(machine));
  const library = dynamodbLocalLibrary();
  const storage = dataFile ? ["-dbPath", dirname(dataFile)] : ["-inMemory"];
  const java = [
    // One core does the engine's work; Java's parallel collector would take another (a sixth of the time, measured).
    "-XX:+UseSerialGC",
    `-Djava.library.path=${join(library, "DynamoDBLocal_lib")}`,
    "-jar",
    join(library, "DynamoDBLocal.jar"),
  ];
  return ["java", [...java, "-port", String(port), "-sharedDb", "-disableTelemetry", ...storage]];
}

function dynoxideBinary({ platform, arch, modules }: Machine): string {
  const name = platform === "win32" ? "dynoxide.exe" : "dynoxide";
  return join(modules, "@dynoxide", `${platform}-${arch}`, name);
}

function noEngine({ platform, arch }: Machine): string {
  const name = `${platform}-${arch}`;
  const first = dynoxidePlatforms.includes(name) ? "run `npm install`, which fetches dynoxide, or " : "";
  return (
    `No DynamoDB engine for ${name}: ${first}install Java 17 or newer, with which DynamoDB Local is fetched and used, ` +
    "or set AWS_ENDPOINT_URL_DYNAMODB to an engine that runs."
  );
}
