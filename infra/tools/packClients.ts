import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { newProgram, runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";
import { generateClientTypes } from "../codegen/clientTypes.ts";
import { root } from "../codegen/generatedFile.ts";
import { generatePythonClient } from "../codegen/pythonClient.ts";

const clients = join(root, "clients");
const destination = join(clients, "dist");

/** Packs the clients as tarballs for npm and a wheel for pip. */
async function packClients(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run pack:clients --",
    "Packs the clients as tarballs for npm and a wheel for pip, into clients/dist. Needs Python 3.11 with pip.",
  ).action(async () => {
    await Promise.all([generateClientTypes(), generatePythonClient()]);
    const folder = mkdtempSync(join(tmpdir(), "pack-clients-"));
    try {
      rmSync(destination, { recursive: true, force: true });
      mkdirSync(destination, { recursive: true });
      for (const client of ["typescript", "mcp"]) await packNode(client, join(folder, client));
      await packPython(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    for (const file of readdirSync(destination).sort()) write(stdout, join("clients", "dist", file));
  });
  await runCommander(program, parameters, { stdout });
}

async function packNode(client: string, folder: string): Promise<void> {
  mkdirSync(folder);
  for (const file of ["package.json", "README.md"]) copyFileSync(join(clients, client, file), join(folder, file));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const tsc = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  await run(process.execPath, [tsc, "--project", join(clients, client), "--outDir", join(folder, "dist")]);
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination], { cwd: folder });
}

async function packPython(folder: string): Promise<void> {
  const [source, backend] = [join(folder, "python"), join(folder, "backend")];
  const isSource = (path: string) => !/__pycache__|_cache$/.test(path);
  cpSync(join(clients, "python"), source, { recursive: true, filter: isSource });
  copyFileSync(join(root, "LICENSE"), join(source, "LICENSE"));
  const requirements = join(source, "build-requirements.txt");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
  await run("python3", [...pip, "--target", backend, "--requirement", requirements]);
  // The day that archives of npm have, too, so that the same sources make the same file.
  const env = { ...process.env, PYTHONPATH: backend, SOURCE_DATE_EPOCH: "499162500" };
  await run("python3", ["-m", "flit_core.wheel", "--outdir", destination], { cwd: source, env });
}

/** @throws StageError with the last lines of the program's output */
async function run(program: string, parameters: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  try {
    await promisify(execFile)(program, parameters, { ...options, shell: process.platform === "win32" });
  } catch (error) {
    const { message, stdout = "", stderr = "" } = error as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`.trim() || message;
    throw new StageError(`The clients cannot be packed: ${output.split("\n").slice(-20).join("\n")}`);
  }
}

if (import.meta.main) process.exitCode = await runProgram(packClients, process.argv.slice(2), process);
