import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dynamodbLocalLibrary, hasJava } from "./dynamodbLocal.ts";

/** The platforms with a dynoxide package, as in the `optionalDependencies` of package.json. */
const dynoxidePlatforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/** The facts that decide which engine a machine can run. */
interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** The node_modules folder. */
  modules: string;
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  modules: fileURLToPath(new URL("../../node_modules", import.meta.url)),
};

/**
 * Returns the program and parameters of the engine: dynoxide, an npm dependency. On other platforms, or if DYNAMODB_ENGINE
 * is `dynamodb-local`, it is DynamoDB Local, downloaded on first use.
 *
 * @param dataFile file of the data; in memory if absent
 * @throws Error with one line that says what to install, if this machine has no engine
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
    // The engine keeps one core busy. Java's parallel garbage collector would occupy a second core, for a sixth of the
    // time as measured.
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
  const first = dynoxidePlatforms.includes(name) ? "run `npm install`, which installs dynoxide, or " : "";
  return (
    `No DynamoDB engine for ${name}: ${first}install Java 17 or newer, so that the stage installs and runs DynamoDB Local, ` +
    "or set AWS_ENDPOINT_URL_DYNAMODB to a running engine."
  );
}
