import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { lockStage, type StageLock } from "../../../infra/local/stageLock.ts";

/** All code that decides what is stored, with what it imports. */
const storingCode = ["./dataSets.ts", "../../../infra/local/createTable.ts"];

/** Where the lists are kept from run to run. */
export interface KeptData {
  /** The table's name, another one for each way of storing. */
  tableName: string;
  /** The engine's database. */
  dataFile: string;
  lock: StageLock;
}

/**
 * Takes the folder of kept lists for this process, and removes those that other code has stored.
 *
 * @throws StageError when another benchmark runs on the folder
 */
export async function openKeptData(folder: string): Promise<KeptData> {
  const name = `lists-${await digestOf(storingCode)}`;
  mkdirSync(folder, { recursive: true });
  const lock = await lockStage(folder, "benchmark");
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== name) rmSync(join(folder, entry.name), { recursive: true });
  }
  // A folder of its own, since DynamoDB Local has a name of its own for its database.
  mkdirSync(join(folder, name), { recursive: true });
  return { tableName: name, dataFile: join(folder, name, "table.db"), lock };
}

/** A digest of this project's code behind some modules: of what runs, so that a changed comment changes nothing. */
export async function digestOf(modules: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: modules.map((module) => fileURLToPath(new URL(module, import.meta.url))),
    outdir: "nowhere",
    write: false,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    minify: true,
    legalComments: "none",
  });
  const hash = createHash("sha256");
  for (const { contents } of outputFiles) hash.update(contents);
  return hash.digest("hex").slice(0, 16);
}
