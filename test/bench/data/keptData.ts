import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { lockStage, type StageLock } from "../../../infra/local/stageLock.ts";

/** The code that determines the stored lists, with all its imports. */
const storingCode = ["./dataSets.ts", "../../../infra/local/createTable.ts"];

/** The place of the lists that are kept from run to run. */
export interface KeptData {
  /** The table's name, which differs between versions of the storing code. */
  tableName: string;
  /** The engine's database. */
  dataFile: string;
  lock: StageLock;
}

/**
 * Locks the folder of kept lists for this process, and removes lists that other code has stored.
 * @throws StageError if another benchmark uses the folder
 */
export async function openKeptData(folder: string): Promise<KeptData> {
  const name = `lists-${await digestOf(storingCode)}`;
  mkdirSync(folder, { recursive: true });
  const lock = await lockStage(folder, "benchmark");
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== name) rmSync(join(folder, entry.name), { recursive: true });
  }
  // A separate folder, since DynamoDB Local chooses the name of its database itself.
  mkdirSync(join(folder, name), { recursive: true });
  return { tableName: name, dataFile: join(folder, name, "table.db"), lock };
}

/**
 * A digest of this project's code that the given modules import. It covers the minified code, so that a changed comment does
 * not change it.
 */
async function digestOf(modules: readonly string[]): Promise<string> {
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
